package io.batchweave.cli.rows.cells;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import io.batchweave.model.Slice;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.util.TransferPair;
import org.apache.iceberg.types.Types.NestedField;

/** One slice that is filled row by row, again and again. */
public final class SliceRows implements AutoCloseable {
    private final PayloadSchema schema;
    private final VectorSchemaRoot root;
    private final List<Cells> columns;
    private Supplier<String> place = () -> "the inputs";
    private int count;
    private long bytes;

    public SliceRows(PayloadSchema schema, BufferAllocator allocator) {
        this.schema = schema;
        this.root = VectorSchemaRoot.create(schema.arrow(), allocator);
        this.columns = cells("", schema.iceberg().columns(), root.getFieldVectors());
    }

    /** The cells of the fields of one struct. */
    List<Cells> cells(String parent, List<NestedField> fields, List<FieldVector> vectors) {
        List<Cells> cells = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            NestedField field = fields.get(i);
            String name = Names.printable(field.name());
            String path = parent.isEmpty() ? name : parent + "." + name;
            cells.add(cells(path, field, vectors.get(i)));
        }
        return List.copyOf(cells);
    }

    private Cells cells(String path, NestedField field, FieldVector vector) {
        Tensor tensor = schema.tensors().get(field.fieldId());
        if (vector instanceof ListVector list) {
            return tensor == null
                    ? new ListCells(this, path, field, list)
                    : new FlatTensorCells(this, path, field, list, tensor);
        }
        if (vector instanceof StructVector struct) {
            return new StructCells(this, path, field, struct);
        }
        Cells cells =
                vector instanceof BaseVariableWidthVector variable
                        ? new BytesCells(this, path, field, variable)
                        : new FixedCells(this, path, field, (BaseFixedWidthVector) vector);
        return tensor == null ? cells : new TensorCells(this, path, field, tensor, cells);
    }

    public List<Cells> columns() {
        return columns;
    }

    /** Says where the values come from, for refusals. */
    public void readFrom(Supplier<String> newPlace) {
        place = newPlace;
    }

    /** Ends a row; columns that were given no cell get a null. */
    public void endRow() {
        for (Cells column : columns) {
            if (column.count() == count) {
                column.nothing();
            }
        }
        count++;
    }

    /** Whole rows. */
    public int count() {
        return count;
    }

    /** About how many bytes the values take. */
    public long bytes() {
        return bytes;
    }

    void grow(long more) {
        bytes += more;
        if (bytes > Slice.LENGTH_MAX) {
            String most = " than " + Slice.LENGTH_MAX + " bytes, the most a slice may have; ";
            throw refusal(
                    count == 0
                            ? "one row alone takes more" + most + "split it"
                            : "with row "
                                    + count
                                    + " of its slice it takes more"
                                    + most
                                    + "use fewer rows a slice, or --bytes-per-slice");
        }
    }

    public void clear() {
        columns.forEach(Cells::clear);
        count = 0;
        bytes = 0;
    }

    /** The rows; valid until they are cleared. */
    public VectorSchemaRoot root() {
        root.setRowCount(count);
        return root;
    }

    /** Takes the rows away, memory and all; they are the caller's, and this one is empty. */
    public VectorSchemaRoot detach() {
        List<FieldVector> taken = new ArrayList<>();
        for (FieldVector vector : root().getFieldVectors()) {
            TransferPair pair = vector.getTransferPair(vector.getAllocator());
            pair.transfer();
            taken.add((FieldVector) pair.getTo());
        }
        VectorSchemaRoot detached = new VectorSchemaRoot(root.getSchema(), taken, count);
        clear();
        return detached;
    }

    InvalidRequestException refusal(String why) {
        return new InvalidRequestException("Cannot ingest " + place.get() + ", " + why);
    }

    @Override
    public void close() {
        root.getFieldVectors().forEach(FieldVector::close);
    }
}
