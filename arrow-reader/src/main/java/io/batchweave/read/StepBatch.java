package io.batchweave.read;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What one rank gets of one step. Closing it gives its memory back. */
public final class StepBatch implements Delivered {
    private final Cursor cursor;
    private final List<SliceBatch> slices;
    private final ArrowBuf memory;
    private boolean isClosed;

    StepBatch(Cursor cursor, List<SliceBatch> slices, ArrowBuf memory) {
        this.cursor = cursor;
        this.slices = List.copyOf(slices);
        this.memory = memory;
    }

    @Override
    public Cursor cursor() {
        return cursor;
    }

    /** In the order of the grid. */
    public List<SliceBatch> slices() {
        return slices;
    }

    /**
     * All rows of the slices as one record batch, in the order of the grid; the caller closes it,
     * before or after this step. This copies every byte once; {@link #slices} copies none.
     *
     * @param allocator of the copy
     * @throws org.apache.arrow.memory.OutOfMemoryException if its limit is reached
     */
    public VectorSchemaRoot joined(BufferAllocator allocator) {
        return JoinedSlices.of(slices, allocator);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            slices.forEach(slice -> slice.rows().close());
            memory.close();
        }
    }
}
