package io.batchweave.cli.rows.cells;

import io.batchweave.payload.Tensor;
import java.util.List;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.iceberg.types.Types.NestedField;

/** Tensors that lie in lists of their elements, all in one. */
final class FlatTensorCells extends ListCells {
    private final Tensor tensor;

    FlatTensorCells(
            SliceRows slice, String path, NestedField field, ListVector vector, Tensor tensor) {
        super(slice, path, field, vector);
        this.tensor = tensor;
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
    public void close() {
        if (length() != tensor.elements()) {
            throw refusal(
                    "it is "
                            + tensor
                            + " of "
                            + tensor.elements()
                            + " elements and the input's value has "
                            + length());
        }
        super.close();
    }
}
