package io.batchweave.store;

import java.nio.ByteBuffer;

/** Takes the bytes of a range as they come from the store. */
@FunctionalInterface
public interface PieceSink {
    /** The most bytes that a piece has. */
    int PIECE_BYTES_MAX = 1 << 20;

    /**
     * Takes the bytes that follow those of the piece before; what it throws ends the read.
     *
     * @param piece its remaining bytes, at least one; they are the caller's and others come into
     *     their place when this returns, so whoever keeps any copies them. Not to be written to.
     */
    void take(ByteBuffer piece);
}
