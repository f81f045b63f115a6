package io.batchweave.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** The checksum of a metadata object, put right: behind a wrong one nothing would ever be found. */
final class Checksum {
    private static final byte[] KEY = "batchweave.crc32c\u0010".getBytes(US_ASCII);
    private static final int DIGITS = 8;

    private Checksum() {}

    /** The same bytes with the checksum they should have, if there is a place for one. */
    static byte[] corrected(byte[] data) {
        int at = indexOf(data, KEY) + KEY.length;
        if (at < KEY.length || at + DIGITS > data.length) {
            return data;
        }
        byte[] corrected = data.clone();
        put(corrected, at, "0".repeat(DIGITS));
        CRC32C crc32c = new CRC32C();
        crc32c.update(corrected);
        put(corrected, at, String.format("%08x", crc32c.getValue()));
        return corrected;
    }

    private static void put(byte[] target, int at, String digits) {
        System.arraycopy(digits.getBytes(US_ASCII), 0, target, at, DIGITS);
    }

    private static int indexOf(byte[] data, byte[] key) {
        for (int at = 0; at + key.length <= data.length; at++) {
            if (Arrays.mismatch(data, at, at + key.length, key, 0, key.length) < 0) {
                return at;
            }
        }
        return -1;
    }
}
