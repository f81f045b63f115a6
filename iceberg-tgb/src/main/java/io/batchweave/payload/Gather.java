package io.batchweave.payload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * Takes bytes in order and hands them on in pieces of a good size: small ones are gathered, large
 * ones pass through without a copy. Numbers are little-endian.
 */
final class Gather {
    private static final int STAGE_BYTES = 1 << 16;

    /** From here on, a copy would cost more than one more call. */
    private static final int PASSED_BYTES_MIN = 1 << 15;

    /** Up to here, a loop is faster than a call that copies. */
    private static final int LOOPED_BYTES_MAX = 64;

    /** So small that what digests a piece leaves it in the cache for what sends it. */
    private static final int PIECE_BYTES_MAX = 1 << 18;

    private final Consumer<ByteBuffer> target;
    private final ByteBuffer stage =
            ByteBuffer.allocate(STAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long length;

    /** Pieces belong to the target only until it returns. */
    Gather(Consumer<ByteBuffer> target) {
        this.target = target;
    }

    /** Bytes taken so far. */
    long length() {
        return length;
    }

    void putByte(byte value) {
        reserve(Byte.BYTES).put(value);
    }

    void putInt(int value) {
        reserve(Integer.BYTES).putInt(value);
    }

    void putLong(long value) {
        reserve(Long.BYTES).putLong(value);
    }

    void put(byte[] bytes) {
        put(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    /** Takes {@code bytes} bytes of a buffer, from its index {@code from} on. */
    void put(ByteBuffer source, int from, int bytes) {
        if (bytes < PASSED_BYTES_MIN) {
            gather(source, from, bytes);
            return;
        }
        flush();
        for (int left = bytes; left > 0; left -= PIECE_BYTES_MAX) {
            target.accept(source.slice(from + bytes - left, Math.min(left, PIECE_BYTES_MAX)));
        }
        length += bytes;
    }

    private void gather(ByteBuffer source, int from, int bytes) {
        ByteBuffer room = reserve(bytes);
        if (bytes > LOOPED_BYTES_MAX || source.order() != room.order()) {
            room.put(room.position(), source, from, bytes);
            room.position(room.position() + bytes);
            return;
        }
        int end = from + bytes;
        int at = from;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            room.putLong(source.getLong(at));
        }
        if (at + Integer.BYTES <= end) {
            room.putInt(source.getInt(at));
            at += Integer.BYTES;
        }
        for (; at < end; at++) {
            room.put(source.get(at));
        }
    }

    void zeros(long bytes) {
        long left = bytes;
        for (; left >= Long.BYTES; left -= Long.BYTES) {
            putLong(0);
        }
        if (left >= Integer.BYTES) {
            putInt(0);
            left -= Integer.BYTES;
        }
        for (; left > 0; left--) {
            putByte((byte) 0);
        }
    }

    /** Zeros up to the next multiple. */
    void padTo(int multiple) {
        zeros(Math.floorMod(-length, multiple));
    }

    /** Hands on what was gathered. */
    void flush() {
        if (stage.position() > 0) {
            target.accept(stage.flip());
            stage.clear();
        }
    }

    private ByteBuffer reserve(int bytes) {
        if (stage.remaining() < bytes) {
            flush();
        }
        length += bytes;
        return stage;
    }
}
