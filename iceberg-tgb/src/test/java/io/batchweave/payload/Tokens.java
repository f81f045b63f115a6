package io.batchweave.payload;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/** Small token batches: row r holds the tokens r, r + 1, r + 2 and r + 3. */
final class Tokens {
    static final int LENGTH = 4;

    private Tokens() {}

    static VectorSchemaRoot of(BufferAllocator allocator, int rows) {
        VectorSchemaRoot root = VectorSchemaRoot.create(PayloadSchema.tokens().arrow(), allocator);
        for (int row = 0; row < rows; row++) {
            int[] tokens = new int[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                tokens[i] = row + i;
            }
            add((ListVector) root.getVector("tokens"), row, tokens);
            ((IntVector) root.getVector("valid")).setSafe(row, LENGTH);
            add((ListVector) root.getVector("doc_starts"), row, 0);
        }
        root.setRowCount(rows);
        return root;
    }

    private static void add(ListVector vector, int row, int... values) {
        int start = vector.startNewValue(row);
        for (int i = 0; i < values.length; i++) {
            ((IntVector) vector.getDataVector()).setSafe(start + i, values[i]);
        }
        vector.endValue(row, values.length);
    }
}
