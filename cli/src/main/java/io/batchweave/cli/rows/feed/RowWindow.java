package io.batchweave.cli.rows.feed;

/** The rows of one window after another, in the order in which they are given out. */
interface RowWindow extends AutoCloseable {
    /** Goes to a window, before the row at {@code taken}. */
    void open(int epoch, long window, int taken);

    /** Appends its next row, which there must be, to a slice, and says where it comes from. */
    RowOrigin append();

    @Override
    void close();
}
