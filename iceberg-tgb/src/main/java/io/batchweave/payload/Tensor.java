package io.batchweave.payload;

import io.batchweave.model.Slice;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What every value of a column is to be taken for: elements of one type in a fixed shape, the last
 * axis fastest.
 *
 * @param shape sizes of the axes, each 1 or more
 */
public record Tensor(Dtype dtype, List<Integer> shape) {
    /** Most axes; what NumPy's older releases can hold. */
    public static final int AXES_MAX = 32;

    /**
     * Checks that there is such a tensor.
     *
     * @throws IllegalArgumentException if it has no axes or too many, an axis without elements, or
     *     more bytes than a slice
     */
    public Tensor {
        shape = List.copyOf(shape);
        if (shape.isEmpty() || shape.size() > AXES_MAX || shape.stream().anyMatch(n -> n < 1)) {
            throw refusal(
                    dtype, shape, "it has 1 to " + AXES_MAX + " axes, each of size 1 or more");
        }
        long bytes = dtype.bytes();
        for (int size : shape) {
            bytes *= size;
            if (bytes > Slice.LENGTH_MAX) {
                throw refusal(dtype, shape, "it has at most " + Slice.LENGTH_MAX + " bytes");
            }
        }
    }

    /** Elements of one value, at most those of {@link Slice#LENGTH_MAX} bytes. */
    public int elements() {
        return shape.stream().reduce(1, Math::multiplyExact);
    }

    /** Bytes of one value, at most {@link Slice#LENGTH_MAX}. */
    public int bytes() {
        return elements() * dtype.bytes();
    }

    /** Such as {@code uint8[224,224,3]}. */
    @Override
    public String toString() {
        return text(dtype, shape);
    }

    private static String text(Dtype dtype, List<Integer> shape) {
        return shape.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(",", dtype + "[", "]"));
    }

    private static IllegalArgumentException refusal(Dtype dtype, List<Integer> shape, String why) {
        return new IllegalArgumentException("Invalid tensor " + text(dtype, shape) + ": " + why);
    }
}
