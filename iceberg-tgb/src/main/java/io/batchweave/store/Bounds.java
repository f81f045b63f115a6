package io.batchweave.store;

import io.batchweave.errors.CorruptException;

/** What can be read of an object of some length, for all stores alike. */
public final class Bounds {
    private Bounds() {}

    /**
     * Checks where a range is to start.
     *
     * @throws IllegalArgumentException if nothing can
     */
    public static void checkOffset(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("Invalid offset " + offset + ": use 0 or more");
        }
    }

    /**
     * Checks what a range is to be.
     *
     * @throws IllegalArgumentException if nothing can
     */
    public static void checkSpan(long offset, long length) {
        checkOffset(offset);
        if (length < 0) {
            throw new IllegalArgumentException("Invalid length " + length + ": use 0 or more");
        }
    }

    /**
     * Checks that a whole object is not larger than its reader is ready for.
     *
     * @param uri of the store
     * @param length of the object, in bytes
     * @throws CorruptException if it is
     */
    public static void checkWhole(String uri, String key, long length, int bytesMax) {
        if (length > bytesMax) {
            throw new CorruptException(
                    ("Cannot read %s in %s: it has %d bytes, more than the %d that such an object"
                                    + " may have")
                            .formatted(key, uri, length, bytesMax));
        }
    }

    /**
     * Checks that a range lies within its object.
     *
     * @param uri of the store
     * @param offset of the range, from 0
     * @param wanted bytes of the range
     * @param length of the object, in bytes
     * @throws CorruptException if it does not
     */
    public static void checkRange(String uri, String key, long offset, long wanted, long length) {
        if (offset > length - wanted) {
            throw new CorruptException(
                    "Cannot read %d bytes at offset %d of %s in %s: it has only %d bytes"
                            .formatted(wanted, offset, key, uri, length));
        }
    }
}
