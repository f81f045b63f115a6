package io.batchweave.cli.rows.cells;

import java.util.List;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.types.Types.NestedField;

/** Structs; between open and close every child takes one cell, or is given a null. */
final class StructCells extends Cells {
    private final StructVector vector;
    private final List<Cells> children;

    StructCells(SliceRows slice, String path, NestedField field, StructVector vector) {
        super(slice, path, field);
        this.vector = vector;
        this.children =
                slice.cells(
                        path, field.type().asStructType().fields(), vector.getChildrenFromFields());
    }

    @Override
    public List<Cells> children() {
        return children;
    }

    @Override
    public void open() {
        vector.setIndexDefined(count());
    }

    @Override
    public void close() {
        for (Cells child : children) {
            if (child.count() == count()) {
                child.nothing();
            }
        }
        added(1);
    }

    @Override
    void clear() {
        super.clear();
        vector.reset();
    }

    @Override
    void pad() {
        added(1);
        vector.setNull(last());
        children.forEach(Cells::pad);
    }
}
