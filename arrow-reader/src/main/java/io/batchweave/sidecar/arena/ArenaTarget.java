package io.batchweave.sidecar.arena;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Slice;
import io.batchweave.read.Cursor;
import io.batchweave.read.MissingPayload;
import io.batchweave.read.SliceRun;
import io.batchweave.read.StepTarget;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fetched;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches slices of one dataset into the arena: one request for each run of adjacent ones. */
final class ArenaTarget implements StepTarget<ArenaStep> {
    private static final Logger LOG = LoggerFactory.getLogger(ArenaTarget.class);

    /** What Arrow wants its buffers aligned to. */
    private static final long ALIGNMENT_BYTES = 64;

    private static final Duration FULL_POLL = Duration.ofMillis(20);

    private final Log log;
    private final Arena arena;
    private final Shelf shelf;
    private final Pressure pressure;
    private final Consumer<Duration> fetched;

    /**
     * A target of one reader.
     *
     * @param fetched is told how long each step took to fetch
     */
    ArenaTarget(Log log, Arena arena, Shelf shelf, Pressure pressure, Consumer<Duration> fetched) {
        this.log = log;
        this.arena = arena;
        this.shelf = shelf;
        this.pressure = pressure;
        this.fetched = fetched;
    }

    @Override
    public long bytes(List<SliceRun> runs) {
        return runs.stream().mapToLong(SliceRun::paddedBytes).sum();
    }

    /** Who waits for a fetch of another that fails for now tries it himself. */
    @Override
    public ArenaStep fetch(StepRecord step, List<SliceRun> runs, Cursor after) {
        demandFits(step, runs);
        Instant start = log.world().clock().instant();
        while (true) {
            Shelf.Taken taken = shelf.take(keys(step, runs));
            try {
                if (!taken.ours().isEmpty()) {
                    fetchOurs(step, runs, taken.ours());
                }
                List<Placed> placed = await(taken);
                fetched.accept(Duration.between(start, log.world().clock().instant()));
                return new ArenaStep(after, placed, () -> shelf.letGo(taken.all()));
            } catch (ForeignFailure e) {
                shelf.letGo(taken.all());
                LOG.debug("Fetching step {} anew", step.step(), e);
            } catch (RuntimeException | Error e) {
                shelf.letGo(taken.all());
                throw e;
            }
        }
    }

    /** What is larger than all of the arena finds no room however long it waits. */
    private void demandFits(StepRecord step, List<SliceRun> runs) {
        long needed =
                runs.stream().flatMap(run -> run.slices().stream()).mapToLong(Slice::length).sum();
        if (needed > arena.bytesMax()) {
            throw new InvalidRequestException(
                    "Cannot read step %d of %s: its %d bytes at this place are more than the %d of shared memory at %s that may be taken; give the sidecar more (--memory)"
                            .formatted(
                                    step.step(),
                                    log.layout().dataset(),
                                    needed,
                                    arena.bytesMax(),
                                    arena.folder()));
        }
    }

    private List<SliceKey> keys(StepRecord step, List<SliceRun> runs) {
        String dataset = log.state().dataset().id();
        List<SliceKey> keys = new ArrayList<>();
        for (SliceRun run : runs) {
            for (int i = 0; i < run.slices().size(); i++) {
                keys.add(new SliceKey(dataset, step.step(), run.firstIndex() + i));
            }
        }
        return keys;
    }

    /**
     * Fetches what nobody else does, and says so to those who wait for it, however it comes out.
     */
    private void fetchOurs(StepRecord step, List<SliceRun> runs, List<Held> ours) {
        try {
            Deadline deadline = log.world().deadline(pressure.patience());
            while (!hasFetched(step, runs, ours, deadline)) {
                log.world().pause().pause(FULL_POLL);
            }
        } catch (RuntimeException | Error e) {
            shelf.forget(ours);
            ours.forEach(held -> held.placed().completeExceptionally(e));
            throw e;
        }
    }

    /** False if there is no room for now. */
    private boolean hasFetched(
            StepRecord step, List<SliceRun> runs, List<Held> ours, Deadline deadline) {
        try {
            write(step, runs, ours);
            return true;
        } catch (ArenaFullException e) {
            if (!deadline.remains() || Thread.currentThread().isInterrupted()) {
                throw new UnavailableException(
                        "Cannot read step %d of %s: its %d bytes found no room within %d ms; %s"
                                .formatted(
                                        step.step(),
                                        log.layout().dataset(),
                                        bytes(runs),
                                        pressure.patience().toMillis(),
                                        e.getMessage()),
                        e);
            }
            LOG.debug("Making room in shared memory", e);
            pressure.relief().run();
            return false;
        }
    }

    private void write(StepRecord step, List<SliceRun> runs, List<Held> ours) {
        ArenaFile file = arena.file();
        List<Placed> placed = new ArrayList<>();
        try {
            for (SliceRun run : Wanted.of(runs, ours)) {
                file.align(ALIGNMENT_BYTES);
                fetch(step, run, file, placed);
            }
        } catch (RuntimeException | Error e) {
            file.discard();
            throw e;
        }
        file.complete(ours.size());
        for (int i = 0; i < ours.size(); i++) {
            ours.get(i).place(file, placed.get(i));
        }
    }

    private void fetch(StepRecord step, SliceRun run, ArenaFile file, List<Placed> placed) {
        String key = log.layout().part(step.claim(), run.part());
        String object = log.store().nameOf(key);
        long start = file.length();
        for (int i = 0; i < run.slices().size(); i++) {
            long offset = start + run.slices().get(i).offset() - run.offset();
            placed.add(
                    new Placed(
                            run.firstIndex() + i,
                            run.slices().get(i),
                            file.path().toString(),
                            offset));
        }
        Digests digests = new Digests(run.slices(), object);
        Fetched found =
                log.store()
                        .readThrough(
                                key,
                                run.offset(),
                                run.length(),
                                piece -> {
                                    digests.take(piece.duplicate());
                                    file.write(piece);
                                });
        if (found instanceof Fetched.Absent) {
            throw new MissingPayload(object);
        }
    }

    private List<Placed> await(Shelf.Taken taken) {
        List<Placed> placed = new ArrayList<>();
        for (Held held : taken.all()) {
            placed.add(await(held));
        }
        return placed;
    }

    private Placed await(Held held) {
        try {
            log.world().pause().await(held.placed());
            return held.placed().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("Interrupted while a slice was fetched", e);
        } catch (ExecutionException e) {
            throw new ForeignFailure(e.getCause());
        }
    }

    @Override
    public void close() {
        // What is on the shelf belongs to those who hold it.
    }

    /** Somebody else could not fetch what we wait for too. */
    private static final class ForeignFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ForeignFailure(Throwable cause) {
            super(cause);
        }
    }
}
