package io.batchweave.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Moves whole buffers between memory and files. Direct buffers go straight to the system. */
final class Bulk {
    /**
     * The JDK moves a heap buffer through a direct one of its size, which the thread then keeps for
     * ever; in pieces, that stays small.
     */
    private static final int HEAP_PIECE_BYTES = 256 * 1_024;

    private Bulk() {}

    /** Writes the remaining bytes. */
    static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        int limit = bytes.limit();
        while (bytes.position() < limit) {
            bytes.limit(endOfPiece(bytes, limit));
            try {
                file.write(bytes);
            } finally {
                bytes.limit(limit);
            }
        }
    }

    /** Fills the buffer from a position of the file on; stops early at the file's end. */
    static void read(FileChannel file, long offset, ByteBuffer target) throws IOException {
        int limit = target.limit();
        int start = target.position();
        int moved = 0;
        while (moved >= 0 && target.position() < limit) {
            target.limit(endOfPiece(target, limit));
            try {
                moved = file.read(target, offset + target.position() - start);
            } finally {
                target.limit(limit);
            }
        }
    }

    private static int endOfPiece(ByteBuffer buffer, int limit) {
        int left = limit - buffer.position();
        return buffer.position() + (buffer.isDirect() ? left : Math.min(left, HEAP_PIECE_BYTES));
    }
}
