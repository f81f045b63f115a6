package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Finished;

/**
 * A place between two tokens of the inputs.
 *
 * @param finished the inputs before the one that {@code name} names
 * @param name the input it is in
 * @param size bytes that input had
 * @param start offset from which to read on
 * @param end offset up to which it has been read; what lies between is read again for its tokens
 * @param tokens how many of the tokens from {@code start} on are behind the place
 * @param digest SHA-256, in hexadecimal, of the input's bytes before {@code end}
 */
record Position(
        Finished finished,
        String name,
        long size,
        long start,
        long end,
        long tokens,
        String digest) {
    Position {
        if (start < 0 || end < start || end - start > UNIT_BYTES_MAX || tokens < 0) {
            throw new IllegalArgumentException(
                    "Invalid position: bytes "
                            + start
                            + " to "
                            + end
                            + " and "
                            + tokens
                            + " tokens; it lies within what is read at once");
        }
    }

    /** Most bytes of an input that are read at once, and again after a restart. */
    static final long UNIT_BYTES_MAX = 1L << 25;

    String describe() {
        return name
                + " (input "
                + finished.inputs()
                + "), byte "
                + start
                + (tokens == 0 ? "" : " and " + tokens + " tokens");
    }
}
