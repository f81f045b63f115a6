package io.batchweave.cli.rows.reader;

/**
 * Rows of an input whose first can be found without the rows before it.
 *
 * @param index its number in the input, from 0
 * @param rows how many rows it has
 * @param offset of its first byte, in inputs of lines
 * @param lines how many lines lie before it, in inputs of lines
 */
public record Stretch(int index, long rows, long offset, long lines) {
    /** More than any input has, and few enough to be added and multiplied. */
    private static final long ROWS_MAX = 1L << 48;

    public Stretch {
        if (rows < 0 || rows > ROWS_MAX) {
            throw new IllegalArgumentException("it says that it has " + rows + " rows");
        }
    }

    public static Stretch of(int index, long rows) {
        return new Stretch(index, rows, 0, 0);
    }
}
