package io.batchweave.store.s3;

import io.batchweave.store.PieceSink;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A range on its way through a sink, over as many connections as it takes: what was handed on is
 * not asked for again.
 */
final class Passage {
    private final PieceSink sink;
    private long offset;
    private long left;

    Passage(long offset, long length, PieceSink sink) {
        this.offset = offset;
        this.left = length;
        this.sink = sink;
    }

    /** Where the rest starts, in bytes of the object. */
    long offset() {
        return offset;
    }

    /** How many bytes were not handed on yet. */
    long left() {
        return left;
    }

    /** Hands on the next bytes. */
    void hand(ByteBuffer piece) {
        // The sink may move positions, and whatever becomes of it, it has had these.
        offset += piece.remaining();
        left -= piece.remaining();
        try {
            sink.take(piece);
        } catch (RuntimeException e) {
            throw new SinkFailed(e);
        }
    }

    /** Does what hands bytes on, and throws what the sink threw. */
    <T> T withItsFailure(Supplier<T> read) {
        try {
            return read.get();
        } catch (SinkFailed e) {
            throw e.thrown;
        }
    }

    /** Of a kind of its own, so that nobody takes it for the client's and asks again. */
    private static final class SinkFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final RuntimeException thrown;

        SinkFailed(RuntimeException thrown) {
            super(thrown);
            this.thrown = thrown;
        }
    }
}
