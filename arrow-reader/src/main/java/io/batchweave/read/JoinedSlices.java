package io.batchweave.read;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.util.VectorSchemaRootAppender;

/** Several slices as one record batch. */
final class JoinedSlices {
    private JoinedSlices() {}

    /** A copy of all rows, in the order of the slices. */
    static VectorSchemaRoot of(List<SliceBatch> slices, BufferAllocator allocator) {
        VectorSchemaRoot[] parts =
                slices.stream().map(SliceBatch::rows).toArray(VectorSchemaRoot[]::new);
        VectorSchemaRoot joined = VectorSchemaRoot.create(parts[0].getSchema(), allocator);
        try {
            for (int column = 0; column < joined.getFieldVectors().size(); column++) {
                reserve(joined.getVector(column), column, parts);
            }
            VectorSchemaRootAppender.append(joined, parts);
            return joined;
        } catch (RuntimeException | Error e) {
            joined.close();
            throw e;
        }
    }

    /** What is known to be needed is taken at once: growing would copy what is there already. */
    private static void reserve(FieldVector target, int column, VectorSchemaRoot[] parts) {
        int rows = 0;
        long inner = 0;
        for (VectorSchemaRoot part : parts) {
            FieldVector vector = part.getVector(column);
            rows += vector.getValueCount();
            inner += inner(vector);
        }
        if (target instanceof BaseFixedWidthVector fixed) {
            fixed.allocateNew(rows);
        } else if (target instanceof BaseVariableWidthVector variable) {
            variable.allocateNew(inner, rows);
        } else if (target instanceof ListVector list && rows > 0) {
            list.setInitialCapacity(rows, (double) inner / rows);
            list.allocateNew();
        }
    }

    /** The bytes or elements that the values of a vector refer to. */
    private static long inner(FieldVector vector) {
        int rows = vector.getValueCount();
        boolean hasEnds = vector instanceof BaseVariableWidthVector || vector instanceof ListVector;
        return hasEnds && rows > 0
                ? vector.getOffsetBuffer().getInt((long) rows * Integer.BYTES)
                : 0;
    }
}
