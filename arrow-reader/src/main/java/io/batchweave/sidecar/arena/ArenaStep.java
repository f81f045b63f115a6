package io.batchweave.sidecar.arena;

import io.batchweave.read.Cursor;
import io.batchweave.read.Delivered;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one reader is given of one step. Once closed, its files may be unlinked. */
public final class ArenaStep implements Delivered {
    private final Cursor cursor;
    private final List<Placed> slices;
    private final Runnable letGo;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    ArenaStep(Cursor cursor, List<Placed> slices, Runnable letGo) {
        this.cursor = cursor;
        this.slices = List.copyOf(slices);
        this.letGo = letGo;
    }

    @Override
    public Cursor cursor() {
        return cursor;
    }

    /** In the order of the grid. */
    public List<Placed> slices() {
        return slices;
    }

    /** Bytes of all its slices. */
    public long bytes() {
        return slices.stream().mapToLong(placed -> placed.slice().length()).sum();
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            letGo.run();
        }
    }
}
