package io.batchweave.model;

/**
 * Where one Arrow record batch lies in its part.
 *
 * @param offset first byte of the message in the object
 * @param length bytes of message and body
 * @param rows rows of the record batch; zero is legal
 * @param crc32c CRC-32C of those bytes
 */
public record Slice(long offset, long length, long rows, int crc32c) {
    /** Most bytes one slice may have: it must fit one buffer on every platform. */
    public static final long LENGTH_MAX = 1L << 30;

    /** Most rows one slice may have: as many as a record batch can count in Java. */
    public static final long ROWS_MAX = Integer.MAX_VALUE;

    public Slice {
        if (offset < 0
                || offset > Part.LENGTH_MAX
                || length < 1
                || length > LENGTH_MAX
                || rows < 0
                || rows > ROWS_MAX) {
            throw new IllegalArgumentException(
                    "Invalid slice: offset "
                            + offset
                            + ", length "
                            + length
                            + ", rows "
                            + rows
                            + "; a slice has 1 to "
                            + LENGTH_MAX
                            + " bytes and at most "
                            + ROWS_MAX
                            + " rows");
        }
    }

    /** The first byte after it. */
    long end() {
        return offset + length;
    }
}
