package io.batchweave.read;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Slices as Arrow's readers give batches; their memory stays until each was read, or the end. */
final class SliceStream extends ArrowReader {
    private final Schema schema;
    private final Deque<ArrowRecordBatch> left = new ArrayDeque<>();
    private long bytesRead;

    /**
     * @param slices one at least; they may be closed afterwards
     */
    SliceStream(List<SliceBatch> slices, BufferAllocator allocator) {
        super(allocator);
        this.schema = slices.get(0).rows().getSchema();
        slices.forEach(slice -> left.add(new VectorUnloader(slice.rows()).getRecordBatch()));
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        if (left.isEmpty()) {
            return false;
        }
        ArrowRecordBatch next = left.remove();
        bytesRead += next.computeBodyLength();
        loadRecordBatch(next);
        return true;
    }

    @Override
    public long bytesRead() {
        return bytesRead;
    }

    @Override
    protected void closeReadSource() {
        left.forEach(ArrowRecordBatch::close);
        left.clear();
    }

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
