package io.batchweave.cli.rows.cells;

import io.batchweave.payload.Dtype;
import io.batchweave.payload.Tensor;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.util.Float16;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** What lies along one axis of a tensor: numbers along the last, lists of the next axis before. */
final class TensorElements extends Cells {
    private static final int BFLOAT16_LOST_BITS = 16;

    private final Tensor tensor;
    private final int axis;
    private final TensorCells whole;
    private final List<Cells> inner;
    private int numbers;
    private int lists;

    /**
     * Appends numbers to a value.
     *
     * @param axis from 0
     */
    TensorElements(SliceRows slice, String path, Tensor tensor, int axis, TensorCells whole) {
        super(slice, path, NestedField.required(0, "element", type(tensor.dtype())));
        this.tensor = tensor;
        this.axis = axis;
        this.whole = whole;
        this.inner =
                isLast()
                        ? List.of()
                        : List.of(new TensorElements(slice, path, tensor, axis + 1, whole));
    }

    /** Whether there are columns of such numbers; others come as bytes alone. */
    static boolean areNumbers(Dtype dtype) {
        return dtype != Dtype.FLOAT8_E4M3FN && dtype != Dtype.FLOAT8_E5M2;
    }

    /** The type by which numbers are read that may fit. */
    private static Type type(Dtype dtype) {
        return switch (dtype) {
            case BOOL -> Types.BooleanType.get();
            case INT8, INT16, INT32, UINT8, UINT16 -> Types.IntegerType.get();
            case INT64, UINT32, UINT64 -> Types.LongType.get();
            case FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT16, BFLOAT16, FLOAT32 -> Types.FloatType.get();
            case FLOAT64 -> Types.DoubleType.get();
        };
    }

    /** Nobody declared the type by which they are read. */
    @Override
    public String declared() {
        return "an element of " + tensor;
    }

    private boolean isLast() {
        return axis == tensor.shape().size() - 1;
    }

    /** Begins the list that these are in. */
    void begin() {
        numbers = 0;
        lists = 0;
    }

    /** Ends it; refuses a list of another length. */
    void end() {
        int size = tensor.shape().get(axis);
        boolean flat = axis == 0 && lists == 0 && numbers == tensor.elements();
        boolean nested = isLast() ? numbers == size : numbers == 0 && lists == size;
        if (!flat && !nested) {
            throw refusal(
                    "it is "
                            + tensor
                            + " and the input's value has "
                            + (numbers + lists)
                            + " elements along axis "
                            + axis);
        }
    }

    @Override
    public List<Cells> children() {
        return inner;
    }

    @Override
    public boolean takesLists() {
        return !isLast();
    }

    @Override
    public void open() {
        ((TensorElements) inner.get(0)).begin();
    }

    @Override
    public void close() {
        ((TensorElements) inner.get(0)).end();
        lists++;
        added(0);
    }

    @Override
    public void flag(int bit) {
        room().put((byte) bit);
    }

    @Override
    public void whole(long number) {
        int bits = tensor.dtype().bytes() * Byte.SIZE;
        boolean fits =
                switch (tensor.dtype()) {
                    case UINT8, UINT16, UINT32 -> number >> bits == 0;
                    case UINT64 -> number >= 0;
                    case INT8, INT16, INT32 -> number >> (bits - 1) == number >> (Long.SIZE - 1);
                    default -> true;
                };
        if (!fits) {
            throw refusal(number + " is out of the range of " + tensor.dtype());
        }
        switch (tensor.dtype().bytes()) {
            case Byte.BYTES -> room().put((byte) number);
            case Short.BYTES -> room().putShort((short) number);
            case Integer.BYTES -> room().putInt((int) number);
            default -> room().putLong(number);
        }
    }

    @Override
    public void single(float number) {
        switch (tensor.dtype()) {
            case FLOAT16 -> half(number, Float16.toFloat16(number));
            case BFLOAT16 -> brain(number, Float.floatToRawIntBits(number));
            case FLOAT32 -> room().putFloat(number);
            default -> room().putDouble(number);
        }
    }

    @Override
    public void real(double number) {
        room().putDouble(number);
    }

    private void half(float number, short half) {
        boolean same = Float.compare(Float16.toFloat(half), number) == 0;
        room().putShort(exactly(number, half, same));
    }

    private void brain(float number, int bits) {
        short upper = (short) (bits >> BFLOAT16_LOST_BITS);
        room().putShort(exactly(number, upper, upper << BFLOAT16_LOST_BITS == bits));
    }

    private short exactly(float number, short bits, boolean same) {
        if (!same) {
            throw refusal(number + " is no " + tensor.dtype() + "; round it, or give its bytes");
        }
        return bits;
    }

    /** Counts a number, and says where it goes. */
    private ByteBuffer room() {
        if (axis > 0 && !isLast()) {
            throw refusal(
                    "it is " + tensor + " and the input's value has a number in place of a list");
        }
        if (!whole.value().hasRemaining()) {
            throw refusal("it is " + tensor + " and the input's value has more elements");
        }
        numbers++;
        added(0);
        return whole.value();
    }

    @Override
    void pad() {
        throw refusal("elements of a tensor are there, all of them");
    }
}
