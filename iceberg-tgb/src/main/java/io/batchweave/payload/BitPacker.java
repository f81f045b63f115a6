package io.batchweave.payload;

import java.nio.ByteBuffer;

/** Packs bits into whole bytes, the last one filled up with zeros. */
final class BitPacker {
    private final Gather out;
    private long word;
    private int filled;

    BitPacker(Gather out) {
        this.out = out;
    }

    /** Appends so many set bits. */
    void fill(int count) {
        for (int left = count; left > 0; left -= Long.SIZE) {
            append(-1, Math.min(left, Long.SIZE));
        }
    }

    /** Appends bits of another bit string. */
    void copy(ByteBuffer bits, int from, int count) {
        for (int left = count; left > 0; left -= Long.SIZE) {
            append(Bits.load(bits, from + count - left), Math.min(left, Long.SIZE));
        }
    }

    /** Appends the lowest bits, at most 64. */
    void append(long bits, int count) {
        long kept = count == 64 ? bits : bits & ((1L << count) - 1);
        word |= kept << filled;
        if (filled + count < 64) {
            filled += count;
            return;
        }
        out.putLong(word);
        int taken = 64 - filled;
        word = taken == 64 ? 0 : kept >>> taken;
        filled = count - taken;
    }

    /** Writes what is left. */
    void finish() {
        for (int i = 0; i < filled; i += 8) {
            out.putByte((byte) (word >>> i));
        }
    }
}
