package io.batchweave.cli.rows.cells;

import java.util.List;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.types.Types.NestedField;

/** Lists, and maps, whose children are keys and values, appended to in turn. */
class ListCells extends Cells {
    private final ListVector vector;
    private final List<Cells> children;
    private int start;

    ListCells(SliceRows slice, String path, NestedField field, ListVector vector) {
        super(slice, path, field);
        this.vector = vector;
        List<NestedField> fields = field.type().asNestedType().fields();
        this.children =
                vector instanceof MapVector
                        ? slice.cells(path, fields, entries().getChildrenFromFields())
                        : slice.cells(path, fields, vector.getChildrenFromFields());
    }

    @Override
    public List<Cells> children() {
        return children;
    }

    @Override
    public boolean takesLists() {
        return !(vector instanceof MapVector);
    }

    /** How many elements or pairs the list has that is open. */
    final int length() {
        return children.get(0).count() - start;
    }

    @Override
    public void open() {
        start = children.get(0).count();
        vector.startNewValue(count());
    }

    @Override
    public void close() {
        int end = children.get(0).count();
        if (vector instanceof MapVector) {
            for (int entry = start; entry < end; entry++) {
                entries().setIndexDefined(entry);
            }
        }
        vector.endValue(count(), end - start);
        added(Integer.BYTES);
    }

    @Override
    void clear() {
        super.clear();
        vector.reset();
    }

    @Override
    void pad() {
        added(Integer.BYTES);
        vector.setNull(last());
    }

    private StructVector entries() {
        return (StructVector) vector.getDataVector();
    }
}
