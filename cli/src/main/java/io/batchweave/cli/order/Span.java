package io.batchweave.cli.order;

/**
 * Rows that follow each other in their input.
 *
 * @param stretch the stretch they lie in, counted over all inputs
 * @param from how many rows of the stretch lie before them
 * @param rows how many they are, at least one
 */
public record Span(int stretch, long from, long rows) {

    /** These without the first {@code count}. */
    public Span without(long count) {
        return new Span(stretch, from + count, rows - count);
    }

    /** The first {@code count} of these. */
    Span first(long count) {
        return new Span(stretch, from, count);
    }
}
