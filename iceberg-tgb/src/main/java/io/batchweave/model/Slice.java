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

    public Slice {
        if (offset < 0 || length < 1 || length > LENGTH_MAX || rows < 0) {
            throw new IllegalArgumentException(
                    "Invalid slice: offset "
                            + offset
                            + ", length "
                            + length
                            + ", rows "
                            + rows
                            + "; a slice has 1 to "
                            + LENGTH_MAX
                            + " bytes");
        }
    }
}
