package io.batchweave.cli.rows.cells;

import java.nio.ByteBuffer;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.NestedField;

/** Cells of any number of bytes each: strings, which must be UTF-8, and binaries. */
final class BytesCells extends Cells {
    private final BaseVariableWidthVector vector;
    private final Utf8 utf8 = new Utf8();

    BytesCells(SliceRows slice, String path, NestedField field, BaseVariableWidthVector vector) {
        super(slice, path, field);
        this.vector = vector;
    }

    @Override
    public void raw(ByteBuffer value) {
        if (type().typeId() == TypeID.STRING && !utf8.holds(value)) {
            throw refusal("its value is not valid UTF-8; declare it as binary, or convert it");
        }
        added((long) value.remaining() + Integer.BYTES);
        vector.setSafe(last(), value, value.position(), value.remaining());
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
}
