package io.batchweave.bench;

import io.batchweave.payload.PayloadSchema;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;

/** A slice of packed tokens of a given size. */
final class TokenRows {
    private static final int SEQ_LEN = 4_096;

    private TokenRows() {}

    static VectorSchemaRoot of(BufferAllocator allocator, int bytes) {
        VectorSchemaRoot root = VectorSchemaRoot.create(PayloadSchema.tokens().arrow(), allocator);
        int rows = bytes / Integer.BYTES / SEQ_LEN;
        UnionListWriter tokens = ((ListVector) root.getVector("tokens")).getWriter();
        UnionListWriter starts = ((ListVector) root.getVector("doc_starts")).getWriter();
        IntVector valid = (IntVector) root.getVector("valid");
        for (int row = 0; row < rows; row++) {
            tokens.setPosition(row);
            tokens.startList();
            for (int i = 0; i < SEQ_LEN; i++) {
                tokens.writeInt((row * SEQ_LEN + i) % 100_000);
            }
            tokens.endList();
            starts.setPosition(row);
            starts.startList();
            starts.writeInt(0);
            starts.endList();
            valid.setSafe(row, SEQ_LEN);
        }
        root.setRowCount(rows);
        return root;
    }
}
