package io.batchweave.cli;

import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.payload.PayloadSchema;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/** One slice of packed tokens, as a record batch that is filled again and again. */
final class TokenSlice implements AutoCloseable {
    private final VectorSchemaRoot root;

    TokenSlice(PayloadSchema schema, BufferAllocator allocator) {
        this.root = VectorSchemaRoot.create(schema.arrow(), allocator);
    }

    /** Replaces the content; what was returned before changes with it. */
    VectorSchemaRoot fill(RowBlock block) {
        int rows = block.rows();
        IntBuffer tokenOffsets = IntBuffer.allocate(rows + 1);
        IntBuffer valid = IntBuffer.allocate(rows);
        for (int row = 0; row < rows; row++) {
            tokenOffsets.put(row + 1, (row + 1) * block.seqLen());
            valid.put(row, block.valid(row));
        }
        fillLists("tokens", tokenOffsets, block.tokens());
        fillInts((IntVector) root.getVector("valid"), valid);
        fillLists("doc_starts", block.docStartOffsets(), block.docStarts());
        root.setRowCount(rows);
        return root;
    }

    private void fillLists(String column, IntBuffer offsets, IntBuffer elements) {
        ListVector lists = (ListVector) root.getVector(column);
        int rows = offsets.remaining() - 1;
        lists.setInitialCapacity(rows);
        lists.allocateNew();
        fillInts((IntVector) lists.getDataVector(), elements);
        copy(offsets, lists.getOffsetBuffer());
        setAllPresent(lists.getValidityBuffer(), rows);
        lists.setLastSet(rows - 1);
        lists.setValueCount(rows);
    }

    private static void fillInts(IntVector vector, IntBuffer values) {
        int count = values.remaining();
        vector.allocateNew(count);
        copy(values, vector.getDataBuffer());
        setAllPresent(vector.getValidityBuffer(), count);
        vector.setValueCount(count);
    }

    private static void copy(IntBuffer from, ArrowBuf to) {
        int bytes = from.remaining() * Integer.BYTES;
        to.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(from.duplicate());
    }

    private static void setAllPresent(ArrowBuf validity, int count) {
        validity.setOne(0L, BitVectorHelper.getValidityBufferSizeFromCount(count));
    }

    @Override
    public void close() {
        root.getFieldVectors().forEach(FieldVector::close);
    }
}
