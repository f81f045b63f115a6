package io.batchweave.cli.rows.reader;

import java.util.List;

/** Reads the rows of one input, from the first to the last, and appends them to a slice. */
public interface RowReader extends AutoCloseable {
    /**
     * Appends the next row.
     *
     * @return whether there was one
     * @throws io.batchweave.errors.InvalidRequestException naming file, place and column, if the
     *     input is damaged or does not fit; the slice is then of no use
     */
    boolean read();

    /**
     * Passes over the next rows, at most {@code rows} of them.
     *
     * @return how many there were
     */
    long leap(long rows);

    /** The stretches of the input; of a new reader only, which is then good only to be closed. */
    List<Stretch> stretches();

    /** Goes before the first row of a stretch. */
    void seek(Stretch stretch);

    @Override
    void close();
}
