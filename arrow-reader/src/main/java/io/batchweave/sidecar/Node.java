package io.batchweave.sidecar;

import io.batchweave.log.Log;
import io.batchweave.model.SliceGrid;
import io.batchweave.read.Delivery;
import io.batchweave.read.Place;
import io.batchweave.read.Start;
import io.batchweave.sidecar.arena.ArenaStep;
import io.batchweave.sidecar.arena.Pressure;
import io.batchweave.sidecar.arena.Slices;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** What all readers of this node share, and how they are opened. Thread-safe. */
final class Node {
    private final World world;
    private final Slices slices;
    private final long memoryBytes;
    private final Executor fetchers;
    private final Pressure pressure;
    private final Datasets datasets;
    private final Readers readers = new Readers();
    private final AtomicLong numbers = new AtomicLong();

    /**
     * @param stores opens the store of a warehouse
     * @param memoryBytes that the readers share, in the arena
     * @param full how long a fetch waits for room in the arena
     * @param fetchers runs fetches
     */
    Node(
            World world,
            Function<String, ObjectStore> stores,
            Slices slices,
            long memoryBytes,
            Duration full,
            Executor fetchers) {
        this.world = world;
        this.slices = slices;
        this.memoryBytes = memoryBytes;
        this.fetchers = fetchers;
        this.pressure = new Pressure(full, readers::makeRoom);
        this.datasets = new Datasets(world, stores);
    }

    Readers readers() {
        return readers;
    }

    Datasets datasets() {
        return datasets;
    }

    Slices slices() {
        return slices;
    }

    Executor fetchers() {
        return fetchers;
    }

    /** Opens a reader; it is registered until it is closed. */
    Reader open(Ask ask) {
        OpenDataset dataset = datasets.open(ask.warehouse(), ask.dataset());
        try {
            return ask.job().isPresent()
                    ? readers.add(
                            dataset.log().state().dataset().id(),
                            ask.job().get(),
                            () -> opened(ask, dataset))
                    : readers.add(() -> opened(ask, dataset));
        } catch (RuntimeException | Error e) {
            datasets.close(ask.warehouse(), ask.dataset());
            throw e;
        }
    }

    private Reader opened(Ask ask, OpenDataset dataset) {
        Place place = place(ask, dataset.log());
        Start start = start(ask, dataset.log());
        Pace pace = new Pace(this::shareBytes);
        Delivery<ArenaStep> delivery =
                Delivery.open(
                        dataset.log(),
                        place,
                        start,
                        ask.turn(),
                        pace,
                        Long.MAX_VALUE,
                        slices.of(dataset.log(), pressure, pace::fetched),
                        fetchers);
        return new Reader(
                numbers.incrementAndGet(), ask, dataset.log(), place, start, pace, delivery);
    }

    /** The place that is asked for. */
    Place place(Ask ask, Log log) {
        SliceGrid grid = log.state().dataset().grid();
        return ask.mesh().map(mesh -> Place.parse(mesh, grid)).orElseGet(() -> Place.whole(grid));
    }

    /** Where it starts, in a session that is started if it was not. */
    Start start(Ask ask, Log log) {
        Sessions sessions = new Sessions(log);
        if (ask.job().isEmpty()) {
            return sessions.withoutJob(ask);
        }
        String job = ask.job().get();
        String session =
                ask.session()
                        .or(() -> readers.sessionOf(log.state().dataset().id(), job))
                        .orElseGet(world::newId);
        return sessions.in(session, job, ask);
    }

    private long shareBytes() {
        return memoryBytes / Math.max(1, readers.places());
    }

    /** Closes a reader that was opened here. */
    void close(Reader reader) {
        readers.remove(reader);
        try {
            reader.close();
        } finally {
            datasets.close(reader.ask().warehouse(), reader.ask().dataset());
        }
    }
}
