package io.batchweave.cli.rows.cells;

import io.batchweave.payload.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Tensors that lie in bytes: given as such bytes, or as lists of their elements, which are nested
 * as the shape says or all in one.
 */
final class TensorCells extends Cells {
    private final Tensor tensor;
    private final Cells bytes;
    private final List<TensorElements> elements;
    private ByteBuffer value = ByteBuffer.allocate(0);

    /**
     * Appends to a column of bytes.
     *
     * @param bytes the same column without its meaning
     */
    TensorCells(SliceRows slice, String path, NestedField field, Tensor tensor, Cells bytes) {
        super(slice, path, field);
        this.tensor = tensor;
        this.bytes = bytes;
        this.elements =
                TensorElements.areNumbers(tensor.dtype())
                        ? List.of(new TensorElements(slice, path, tensor, 0, this))
                        : List.of();
    }

    @Override
    public List<Cells> children() {
        return List.copyOf(elements);
    }

    @Override
    public boolean takesLists() {
        return !elements.isEmpty();
    }

    @Override
    public String declared() {
        return tensor.toString();
    }

    @Override
    public List<Integer> shape() {
        return tensor.shape();
    }

    @Override
    public void raw(ByteBuffer given) {
        if (given.remaining() != tensor.bytes()) {
            throw refusal(
                    "it is "
                            + tensor
                            + " of "
                            + tensor.bytes()
                            + " bytes and the input's value has "
                            + given.remaining());
        }
        bytes.raw(given);
        added(0);
    }

    /** The elements of the list that is open, so far. */
    ByteBuffer value() {
        return value;
    }

    @Override
    public void open() {
        if (value.capacity() == 0) {
            value = ByteBuffer.allocate(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
        value.clear();
        elements.get(0).begin();
    }

    @Override
    public void close() {
        elements.get(0).end();
        raw(value.flip());
    }

    @Override
    void pad() {
        bytes.pad();
        added(0);
    }

    @Override
    void clear() {
        super.clear();
        bytes.clear();
    }
}
