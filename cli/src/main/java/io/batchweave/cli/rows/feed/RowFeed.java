package io.batchweave.cli.rows.feed;

/** Appends the rows of all inputs to a slice, in a set order. Used by one thread. */
public interface RowFeed extends AutoCloseable {
    /**
     * Appends the next row.
     *
     * @return whether there was one
     * @throws io.batchweave.errors.InvalidRequestException if an input is damaged or does not fit
     */
    boolean read();

    /** Where the row comes from that was appended last. */
    RowOrigin origin();

    /** The place behind that row. Equal reading gives an equal position. */
    RowPosition position();

    @Override
    void close();
}
