package io.batchweave.model;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A byte string as a value: a digest, a receipt, or something opaque such as a producer's progress.
 */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    /** Bytes of a SHA-256 digest. */
    public static final int SHA256_BYTES = 32;

    private final byte[] value;

    private Bytes(byte[] value) {
        this.value = value;
    }

    /** Copies {@code value}. */
    public static Bytes copyOf(byte[] value) {
        return new Bytes(value.clone());
    }

    /** Reads lower- or upper-case hexadecimal digits. */
    public static Bytes fromHex(String hex) {
        return new Bytes(HexFormat.of().parseHex(hex));
    }

    /** A new SHA-256 computation. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Ends the computation and takes its digest. */
    public static Bytes digestOf(MessageDigest computation) {
        return new Bytes(computation.digest());
    }

    public int length() {
        return value.length;
    }

    /** A copy. */
    public byte[] toArray() {
        return value.clone();
    }

    /** A read-only view; nothing is copied. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(value).asReadOnlyBuffer();
    }

    public String toHex() {
        return HexFormat.of().formatHex(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
