package io.batchweave.model;

import java.util.List;

/**
 * One payload object of a global batch.
 *
 * @param length bytes of the object
 * @param digest SHA-256 of the object
 * @param slices the slices it holds, in the order of the grid and of the file
 */
public record Part(long length, Bytes digest, List<Slice> slices) {
    /** Most bytes one part may have; no store takes a larger object. */
    public static final long LENGTH_MAX = 1L << 46;

    public Part {
        slices = List.copyOf(slices);
        if (digest.length() != Bytes.SHA256_BYTES) {
            throw new IllegalArgumentException(
                    "Invalid part: a digest of " + digest.length() + " bytes");
        }
        if (slices.isEmpty()) {
            throw new IllegalArgumentException("Invalid part: it holds no slice");
        }
        long end = 0;
        for (Slice slice : slices) {
            if (slice.offset() < end) {
                throw new IllegalArgumentException(
                        "Invalid part: slices overlap at byte " + slice.offset());
            }
            end = slice.end();
        }
        if (end > length || length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "Invalid part: slices end at byte "
                            + end
                            + " of an object of "
                            + length
                            + ", at most "
                            + LENGTH_MAX);
        }
    }
}
