package io.batchweave.store.local;

import io.batchweave.store.PieceSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Direct buffers through which files are handed on. They are kept for the next reader: a new one
 * would be zeroed, and freed only by the garbage collector. A thread may have several, as a sink
 * may itself read.
 */
final class Pieces {
    /** Fits into a core's cache together with what the sink does with it; the fastest measured. */
    private static final int PIECE_BYTES = 256 << 10;

    private static final int KEPT_MAX = 16;

    private final BlockingQueue<ByteBuffer> idle = new ArrayBlockingQueue<>(KEPT_MAX);

    /**
     * Hands on a part of a file.
     *
     * @return how many bytes there were: less than {@code length} at the file's end
     */
    long pass(FileChannel file, long offset, long length, PieceSink sink) throws IOException {
        ByteBuffer kept = idle.poll();
        ByteBuffer piece = kept == null ? ByteBuffer.allocateDirect(PIECE_BYTES) : kept;
        try {
            long passed = 0;
            while (passed < length) {
                piece.clear().limit((int) Math.min(piece.capacity(), length - passed));
                if (file.read(piece, offset + passed) < 0) {
                    break;
                }
                piece.flip();
                // The sink may move positions; how far we are is ours to know.
                passed += piece.limit();
                sink.take(piece);
            }
            return passed;
        } finally {
            idle.offer(piece);
        }
    }
}
