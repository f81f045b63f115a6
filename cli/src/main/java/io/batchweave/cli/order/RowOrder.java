package io.batchweave.cli.order;

import io.batchweave.errors.InvalidRequestException;

/**
 * Which rows are given out, how often and in what order; fixed once something has been ingested.
 *
 * @param epochs how often each row is given out, from 1
 * @param seed of the shuffle; 0 without one
 * @param window rows that are shuffled among each other, and in memory; 0 for the order of the
 *     inputs
 * @param part which of the parts, from 1
 * @param parts into how many parts the rows are dealt, each row to one
 */
public record RowOrder(int epochs, long seed, int window, int part, int parts) {
    /** Every row once, in the order of the inputs. */
    public static final RowOrder AS_GIVEN = new RowOrder(1, 0, 0, 1, 1);

    /** Rows in a window if nothing else is said. */
    public static final int WINDOW_DEFAULT = 1 << 16;

    /** Most rows in a window. */
    public static final int WINDOW_MAX = 1 << 26;

    /** Most parts. */
    public static final int PARTS_MAX = 1 << 16;

    public RowOrder {
        if (epochs < 1 || window < 0 || window > WINDOW_MAX || (window == 0 && seed != 0)) {
            throw new IllegalArgumentException(
                    "Invalid order: "
                            + epochs
                            + " epochs in windows of "
                            + window
                            + " rows; use 1 epoch or more, and windows of 1 to "
                            + WINDOW_MAX
                            + " rows");
        }
        if (part < 1 || part > parts || parts > PARTS_MAX) {
            throw new IllegalArgumentException(
                    "Invalid part "
                            + part
                            + "/"
                            + parts
                            + ": use 1/N to N/N, with N up to "
                            + PARTS_MAX);
        }
    }

    public boolean isShuffled() {
        return window > 0;
    }

    /** Whether it is the order of the inputs, which needs no look at all of them first. */
    public boolean isAsGiven() {
        return equals(AS_GIVEN);
    }

    /**
     * Refuses another order than that of what is committed.
     *
     * @throws InvalidRequestException with both values
     */
    public void checkSame(RowOrder committed) {
        Unchanged.check("shuffle", committed.shuffle(), shuffle());
        Unchanged.check("shuffle-window", committed.window(), window);
        Unchanged.check("epochs", committed.epochs(), epochs);
        Unchanged.check("part", committed.share(), share());
    }

    private String shuffle() {
        return isShuffled() ? Long.toString(seed) : "not given";
    }

    private String share() {
        return part + "/" + parts;
    }
}
