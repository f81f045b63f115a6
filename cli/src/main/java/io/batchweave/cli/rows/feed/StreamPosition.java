package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Finished;

/**
 * A place in inputs that are read one after the other.
 *
 * @param finished the inputs before the one that {@code name} names
 * @param name the input it is in
 * @param size bytes that input had
 * @param digest SHA-256, in hexadecimal, of those bytes
 * @param rows how many of its rows lie before the place
 */
record StreamPosition(Finished finished, String name, long size, String digest, long rows)
        implements RowPosition {
    StreamPosition {
        if (size < 0 || rows < 0) {
            throw new IllegalArgumentException(
                    "Invalid position: row " + rows + " of " + size + " bytes");
        }
    }

    @Override
    public String describe() {
        return name + " (input " + finished.inputs() + "), row " + rows;
    }
}
