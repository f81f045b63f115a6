package io.batchweave.read;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

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

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            slices.forEach(slice -> slice.rows().close());
            memory.close();
        }
    }
}
