package io.batchweave.payload;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the elements of a tensor are, by the names that NumPy and PyTorch use: little-endian, a
 * {@code bool} one byte that is 0 or 1.
 */
public enum Dtype {
    BOOL(1),
    INT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    UINT8(1),
    UINT16(2),
    UINT32(4),
    UINT64(8),
    FLOAT8_E4M3FN(1),
    FLOAT8_E5M2(1),
    FLOAT16(2),
    BFLOAT16(2),
    FLOAT32(4),
    FLOAT64(8);

    private final int bytes;

    Dtype(int bytes) {
        this.bytes = bytes;
    }

    /** The one of this name, such as {@code uint8}. */
    public static Optional<Dtype> named(String name) {
        return Arrays.stream(values()).filter(dtype -> dtype.toString().equals(name)).findFirst();
    }

    /** All names, for messages. */
    public static String names() {
        return Arrays.stream(values()).map(Dtype::toString).collect(Collectors.joining(", "));
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** The name, such as {@code uint8}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
