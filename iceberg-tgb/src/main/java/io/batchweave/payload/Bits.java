package io.batchweave.payload;

import java.nio.ByteBuffer;

/** Bit strings as Arrow packs them: the lowest bit of a byte comes first. */
final class Bits {
    private Bits() {}

    /** Bytes that so many bits take. */
    static int bytes(int bits) {
        return (int) (((long) bits + 7) / 8);
    }

    /**
     * The 64 bits from {@code from} on, the first lowest; zeros beyond the end.
     *
     * @param bits little-endian
     */
    static long load(ByteBuffer bits, int from) {
        int index = from >>> 3;
        int shift = from & 7;
        if (index + Long.BYTES >= bits.limit()) {
            return loadAtEnd(bits, index, shift);
        }
        long low = bits.getLong(index) >>> shift;
        return shift == 0 ? low : low | (long) bits.get(index + Long.BYTES) << (64 - shift);
    }

    /** How many of the first {@code length} bits are set. */
    static int count(ByteBuffer bits, int length) {
        int count = 0;
        for (int left = length; left > 0; left -= Long.SIZE) {
            long within = -1L >>> Math.max(0, Long.SIZE - left);
            count += Long.bitCount(load(bits, length - left) & within);
        }
        return count;
    }

    /** All bits set or none, as one of them is: a choice without a branch. */
    static int spread(long bits, int index) {
        return -(int) (bits >>> index & 1);
    }

    private static long loadAtEnd(ByteBuffer bits, int index, int shift) {
        long word = 0;
        for (int i = index; i < bits.limit(); i++) {
            long octet = bits.get(i) & 0xFFL;
            int at = (i - index) * 8 - shift;
            word |= at < 0 ? octet >>> -at : octet << at;
        }
        return word;
    }
}
