package io.batchweave.e2e;

import java.util.Arrays;

/** What may become of an object's bytes. */
final class Damage {
    private Damage() {}

    /** One bit of one byte, and each byte another bit. */
    static byte[] flipped(byte[] object, int position) {
        byte[] damaged = object.clone();
        damaged[position] ^= (byte) (1 << position % Byte.SIZE);
        return damaged;
    }

    static byte[] truncated(byte[] object, int length) {
        return Arrays.copyOf(object, length);
    }

    /** With bytes behind its end. */
    static byte[] extended(byte[] object, int more) {
        return Arrays.copyOf(object, object.length + more);
    }
}
