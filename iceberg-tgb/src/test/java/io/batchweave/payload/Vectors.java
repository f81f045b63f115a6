package io.batchweave.payload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Puts plain content into vectors, in several layouts, and takes it out again. */
final class Vectors {
    private Vectors() {}

    /** The rows as Arrow lays them out when they are set one after the other. */
    static VectorSchemaRoot of(
            PayloadSchema schema, BufferAllocator allocator, List<List<Object>> rows) {
        VectorSchemaRoot root = VectorSchemaRoot.create(schema.arrow(), allocator);
        for (int column = 0; column < schema.columns().size(); column++) {
            FieldVector vector = root.getVector(column);
            vector.allocateNew();
            for (int row = 0; row < rows.size(); row++) {
                set(schema.columns().get(column), vector, row, rows.get(row).get(column));
            }
        }
        root.setRowCount(rows.size());
        return root;
    }

    /** The content of a slice with something else, of every kind, lying under each null. */
    static VectorSchemaRoot withJunk(RandomSlice slice, BufferAllocator allocator) {
        return withJunk(slice, allocator, slice.rows());
    }

    private static VectorSchemaRoot withJunk(
            RandomSlice slice, BufferAllocator allocator, List<List<Object>> rows) {
        PayloadSchema schema = slice.schema();
        List<List<Object>> filled = new ArrayList<>();
        for (List<Object> row : rows) {
            filled.add(filled(slice, schema.columns(), row));
        }
        VectorSchemaRoot root = of(schema, allocator, filled);
        for (int column = 0; column < schema.columns().size(); column++) {
            for (int row = 0; row < rows.size(); row++) {
                hide(root.getVector(column), row, rows.get(row).get(column));
            }
        }
        return root;
    }

    /**
     * The content of a slice, with junk, in the middle of vectors that hold other rows before and
     * after it, so that offsets do not start at 0 and bits of children lie anywhere.
     */
    static VectorSchemaRoot fromTheMiddle(RandomSlice slice, BufferAllocator allocator) {
        int before = 8;
        List<List<Object>> rows = new ArrayList<>(slice.others(before));
        rows.addAll(slice.rows());
        rows.addAll(slice.others(3));
        try (VectorSchemaRoot whole = withJunk(slice, allocator, rows)) {
            List<ArrowFieldNode> nodes = new ArrayList<>();
            List<ArrowBuf> buffers = new ArrayList<>();
            int count = slice.rows().size();
            whole.getFieldVectors().forEach(v -> cut(v, before, count, nodes, buffers));
            VectorSchemaRoot root = VectorSchemaRoot.create(slice.schema().arrow(), allocator);
            try (ArrowRecordBatch batch = new ArrowRecordBatch(count, nodes, buffers)) {
                new VectorLoader(root).load(batch);
            }
            return root;
        }
    }

    /** The rows that a slice holds. */
    static List<List<Object>> rows(PayloadSchema schema, VectorSchemaRoot root) {
        List<List<Object>> rows = new ArrayList<>();
        for (int row = 0; row < root.getRowCount(); row++) {
            rows.add(children(schema.columns(), root.getFieldVectors(), row));
        }
        return rows;
    }

    /** Every buffer with bytes in it, and validity only where there are nulls. */
    static List<ArrowBuf> buffers(VectorSchemaRoot root) {
        List<ArrowBuf> buffers = new ArrayList<>();
        root.getFieldVectors().forEach(vector -> addBuffers(vector, buffers));
        return buffers;
    }

    private static void addBuffers(FieldVector vector, List<ArrowBuf> into) {
        List<ArrowBuf> buffers = vector.getFieldBuffers();
        if (vector.getNullCount() > 0) {
            into.add(buffers.get(0));
        }
        into.addAll(buffers.subList(1, buffers.size()));
        vector.getChildrenFromFields().forEach(child -> addBuffers(child, into));
    }

    private static void set(Column column, FieldVector vector, int slot, Object value) {
        while (slot >= vector.getValueCapacity()) {
            vector.reAlloc();
        }
        switch (column.form()) {
            case BITS -> setBit((BitVector) vector, slot, (Boolean) value);
            case FIXED -> setFixed((BaseFixedWidthVector) vector, slot, (byte[]) value);
            case BYTES -> setBytes((BaseVariableWidthVector) vector, slot, (byte[]) value);
            case LIST -> setList(column, (ListVector) vector, slot, (List<?>) value);
            case STRUCT -> setStruct(column, (StructVector) vector, slot, (List<?>) value);
        }
    }

    private static void setBit(BitVector vector, int slot, Boolean value) {
        if (value == null) {
            vector.setNull(slot);
        } else {
            vector.setSafe(slot, value ? 1 : 0);
        }
    }

    private static void setFixed(BaseFixedWidthVector vector, int slot, byte[] value) {
        if (value == null) {
            vector.setNull(slot);
            return;
        }
        BitVectorHelper.setBit(vector.getValidityBuffer(), slot);
        vector.getDataBuffer().setBytes((long) slot * vector.getTypeWidth(), value);
    }

    private static void setBytes(BaseVariableWidthVector vector, int slot, byte[] value) {
        if (value == null) {
            vector.setNull(slot);
        } else {
            vector.setSafe(slot, value);
        }
    }

    private static void setList(Column column, ListVector vector, int slot, List<?> value) {
        if (value == null) {
            vector.setNull(slot);
            return;
        }
        int start = vector.startNewValue(slot);
        for (int i = 0; i < value.size(); i++) {
            set(column.children().get(0), vector.getDataVector(), start + i, value.get(i));
        }
        vector.endValue(slot, value.size());
    }

    private static void setStruct(Column column, StructVector vector, int slot, List<?> value) {
        if (value == null) {
            vector.setNull(slot);
        } else {
            vector.setIndexDefined(slot);
        }
        for (int i = 0; i < column.children().size(); i++) {
            FieldVector child = vector.getChildrenFromFields().get(i);
            set(column.children().get(i), child, slot, value == null ? null : value.get(i));
        }
    }

    private static List<Object> filled(RandomSlice slice, List<Column> columns, List<?> values) {
        List<Object> filled = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            filled.add(filled(slice, columns.get(i), values.get(i)));
        }
        return filled;
    }

    private static Object filled(RandomSlice slice, Column column, Object value) {
        Object some = value == null ? slice.present(column) : value;
        return switch (column.form()) {
            case BITS, FIXED, BYTES -> some;
            case LIST -> {
                List<Object> elements = new ArrayList<>();
                for (Object element : (List<?>) some) {
                    elements.add(filled(slice, column.children().get(0), element));
                }
                yield elements;
            }
            case STRUCT -> filled(slice, column.children(), (List<?>) some);
        };
    }

    /** Clears the validity of what is null in the content, and of nothing else. */
    private static void hide(FieldVector vector, int slot, Object value) {
        if (value == null) {
            BitVectorHelper.unsetBit(vector.getValidityBuffer(), slot);
        } else if (vector instanceof ListVector list) {
            int start = list.getElementStartIndex(slot);
            for (int i = 0; i < ((List<?>) value).size(); i++) {
                hide(list.getDataVector(), start + i, ((List<?>) value).get(i));
            }
        } else if (vector instanceof StructVector) {
            for (int i = 0; i < ((List<?>) value).size(); i++) {
                hide(vector.getChildrenFromFields().get(i), slot, ((List<?>) value).get(i));
            }
        }
    }

    private static void cut(
            FieldVector vector,
            int from,
            int count,
            List<ArrowFieldNode> nodes,
            List<ArrowBuf> buffers) {
        nodes.add(new ArrowFieldNode(count, 0));
        ArrowBuf validity = vector.getValidityBuffer();
        buffers.add(validity.slice(from / 8, validity.capacity() - from / 8));
        if (vector instanceof BitVector || vector instanceof BaseFixedWidthVector) {
            ArrowBuf values = vector.getDataBuffer();
            int width = vector instanceof BitVector ? 0 : width(vector);
            long start = width == 0 ? from / 8 : (long) from * width;
            buffers.add(values.slice(start, values.capacity() - start));
        }
        if (vector instanceof BaseVariableWidthVector || vector instanceof ListVector) {
            ArrowBuf offsets = vector.getOffsetBuffer();
            buffers.add(offsets.slice(from * 4L, (count + 1) * 4L));
        }
        if (vector instanceof BaseVariableWidthVector) {
            buffers.add(vector.getDataBuffer());
        }
        for (FieldVector child : vector.getChildrenFromFields()) {
            boolean whole = vector instanceof ListVector;
            int slots = whole ? child.getValueCount() : count;
            cut(child, whole ? 0 : from, slots, nodes, buffers);
        }
    }

    private static int width(FieldVector vector) {
        return ((BaseFixedWidthVector) vector).getTypeWidth();
    }

    private static List<Object> children(
            List<Column> columns, List<FieldVector> vectors, int slot) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            values.add(value(columns.get(i), vectors.get(i), slot));
        }
        return values;
    }

    private static Object value(Column column, FieldVector vector, int slot) {
        if (vector.isNull(slot)) {
            return null;
        }
        return switch (column.form()) {
            case BITS -> ((BitVector) vector).get(slot) == 1;
            case FIXED -> fixed((BaseFixedWidthVector) vector, slot);
            case BYTES -> bytes((BaseVariableWidthVector) vector, slot);
            case LIST -> list(column, (ListVector) vector, slot);
            case STRUCT -> children(column.children(), vector.getChildrenFromFields(), slot);
        };
    }

    private static byte[] fixed(BaseFixedWidthVector vector, int slot) {
        byte[] value = new byte[vector.getTypeWidth()];
        vector.getDataBuffer().getBytes((long) slot * value.length, value);
        return value;
    }

    private static byte[] bytes(BaseVariableWidthVector vector, int slot) {
        int start = vector.getStartOffset(slot);
        byte[] value = new byte[vector.getEndOffset(slot) - start];
        vector.getDataBuffer().getBytes(start, value);
        return value;
    }

    private static List<Object> list(Column column, ListVector vector, int slot) {
        List<Object> elements = new ArrayList<>();
        for (int i = vector.getElementStartIndex(slot); i < vector.getElementEndIndex(slot); i++) {
            elements.add(value(column.children().get(0), vector.getDataVector(), i));
        }
        return elements;
    }

    /** Content with byte strings by value, fit for comparison. */
    static Object comparable(Object value) {
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(v -> v == null ? "null" : comparable(v)).toList();
        }
        return value;
    }
}
