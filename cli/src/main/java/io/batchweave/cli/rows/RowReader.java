package io.batchweave.cli.rows;

/** Reads the rows of one input, from the first to the last, and appends them to a slice. */
interface RowReader extends AutoCloseable {
    /**
     * Appends the next row.
     *
     * @return whether there was one
     * @throws io.batchweave.errors.InvalidRequestException naming file, place and column, if the
     *     input is damaged or does not fit; the slice is then of no use
     */
    boolean read();

    /**
     * Passes over whole stretches of rows that need not be looked at, at most {@code rows}.
     *
     * @return how many
     */
    default long leap(long rows) {
        return 0;
    }

    @Override
    void close();
}
