package io.batchweave.sidecar.arena;

import io.batchweave.log.Log;
import io.batchweave.read.StepTarget;
import java.time.Duration;
import java.util.function.Consumer;

/** All slices that the readers of a node are given. Thread-safe. */
public final class Slices implements AutoCloseable {
    private final Arena arena;
    private final Shelf shelf = new Shelf();

    /** Slices in an arena, which is closed with this. */
    public Slices(Arena arena) {
        this.arena = arena;
    }

    /** Where the steps of one reader of a dataset go. */
    public StepTarget<ArenaStep> of(Log log, Pressure pressure, Consumer<Duration> fetched) {
        return new ArenaTarget(log, arena, shelf, pressure, fetched);
    }

    /** The folder that holds the files. */
    public Arena arena() {
        return arena;
    }

    @Override
    public void close() {
        arena.close();
    }
}
