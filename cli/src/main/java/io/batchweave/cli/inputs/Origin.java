package io.batchweave.cli.inputs;

/**
 * Where a row or a document comes from.
 *
 * @param input the absolute path of its input, or its URI
 * @param fingerprint of the input
 * @param epoch the epoch in which it is given out, from 0
 * @param row how many rows of its input lie before it; of lines, those that are not blank
 */
public record Origin(String input, Fingerprint fingerprint, int epoch, long row) {
    /** Of a row of an input that has this fingerprint. */
    public static Origin of(Input input, Fingerprint fingerprint, int epoch, long row) {
        return new Origin(input.location().origin(), fingerprint, epoch, row);
    }
}
