package io.batchweave.read;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The steps of a dataset in order, as one rank gets them, fetched ahead within a byte budget.
 *
 * <p>Used by one thread. Seeking costs nothing: opening at a step reads none of the steps before
 * it.
 */
public final class StepReader implements AutoCloseable {
    private record Ahead(long bytes, CompletableFuture<StepBatch> batch) {}

    private final Log log;
    private final Place place;
    private final ReadLimits limits;
    private final Executor fetchers;
    private final StepFetch fetch;

    private final Deque<Ahead> ahead = new ArrayDeque<>();
    private long aheadBytes;
    private long nextToFetch;
    private long nextToDeliver;
    private RuntimeException failure;

    private StepReader(
            Log log,
            Place place,
            long step,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        this.log = log;
        this.place = place;
        this.limits = limits;
        this.fetchers = fetchers;
        this.fetch =
                new StepFetch(log, PayloadSchema.parse(log.state().dataset().schema()), allocator);
        this.nextToFetch = step;
        this.nextToDeliver = step;
    }

    /**
     * Opens at a step, which need not be published yet.
     *
     * @param allocator gives the memory of what is delivered; it outlives the reader
     * @param fetchers runs fetches, several at once if it can; it outlives the reader
     */
    public static StepReader open(
            Log log,
            Place place,
            long step,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        if (step < 0) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + log.layout().dataset()
                            + " from step "
                            + step
                            + ": steps count from 0");
        }
        return new StepReader(log, place, step, limits, allocator, fetchers);
    }

    /**
     * Resumes where a cursor was taken.
     *
     * @throws InvalidRequestException if it was taken from another dataset or another history
     */
    public static StepReader resume(
            Log log,
            Place place,
            Cursor cursor,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        cursor.checkAgainst(log.state(), log.layout().dataset().toString());
        return new StepReader(log, place, cursor.nextStep(), limits, allocator, fetchers);
    }

    /** The step that {@link #next} delivers next. */
    public long nextStep() {
        return nextToDeliver;
    }

    /**
     * The next step; empty once the dataset is sealed and over, or at the end that was set. The
     * caller closes what it gets. A step that cannot be read ends this reader: it never goes on
     * with the one after it.
     *
     * @throws UnavailableException if the step is not published within {@code wait}; it says what
     *     is waited for
     * @throws io.batchweave.errors.CorruptException if what is stored is not what was published; it
     *     names the object
     */
    public Optional<StepBatch> next(Duration wait) {
        if (failure != null) {
            throw failure;
        }
        Deadline deadline = log.world().deadline(wait);
        fetchAhead();
        while (ahead.isEmpty()) {
            State state = log.state();
            boolean over = state.phase() == State.Phase.SEALED && nextToDeliver >= state.nextStep();
            if (over || nextToDeliver >= limits.stepEnd()) {
                return Optional.empty();
            }
            if (!log.awaitNews(state.version(), deadline)) {
                throw notPublished(wait);
            }
            fetchAhead();
        }
        Ahead first = ahead.remove();
        StepBatch batch = await(first);
        aheadBytes -= first.bytes();
        nextToDeliver++;
        return Optional.of(batch);
    }

    /**
     * Starts fetching what the log has and the budget allows; looks into the log only if all it
     * knew is under way.
     */
    private void fetchAhead() {
        State state = log.state();
        if (nextToFetch >= limits.stepEnd()) {
            return;
        }
        if (nextToFetch >= state.nextStep() && ahead.size() <= 1) {
            state = log.catchUp();
        }
        while (nextToFetch < Math.min(state.nextStep(), limits.stepEnd())) {
            StepRecord step = state.step(nextToFetch);
            List<SliceRun> runs = SliceRun.of(step, place.slices());
            long bytes = runs.stream().mapToLong(SliceRun::length).sum();
            if (!ahead.isEmpty() && aheadBytes + bytes > limits.prefetchBytes()) {
                return;
            }
            ahead.add(
                    new Ahead(
                            bytes,
                            CompletableFuture.supplyAsync(
                                    () -> fetch.fetch(step, runs), fetchers)));
            aheadBytes += bytes;
            nextToFetch++;
        }
    }

    private StepBatch await(Ahead first) {
        try {
            return first.batch().join();
        } catch (CompletionException e) {
            failure = e.getCause() instanceof BatchWeaveException known ? known : e;
            throw failure;
        }
    }

    private UnavailableException notPublished(Duration wait) {
        State state = log.state();
        String producers =
                state.producers().isEmpty()
                        ? "no producer has opened yet"
                        : state.producers().entrySet().stream()
                                .map(entry -> described(entry.getKey(), entry.getValue()))
                                .collect(Collectors.joining(", "));
        String newest =
                state.nextStep() == 0
                        ? "no step is published"
                        : "the newest is " + (state.nextStep() - 1);
        return new UnavailableException(
                "Cannot read step "
                        + nextToDeliver
                        + " of "
                        + log.layout().dataset()
                        + ": not published within "
                        + wait.toSeconds()
                        + " s; "
                        + newest
                        + "; "
                        + producers
                        + "; wait longer, or look at the producers");
    }

    private static String described(String name, ProducerState producer) {
        return "producer "
                + name
                + (producer.finished() ? " finished at " : " was last active at ")
                + producer.lastActivity();
    }

    /** Gives back what was fetched and not delivered. */
    @Override
    public void close() {
        for (Ahead fetched : ahead) {
            fetched.batch()
                    .handle((batch, failure) -> batch)
                    .thenAccept(StepReader::closeIfFetched)
                    .join();
        }
        ahead.clear();
    }

    private static void closeIfFetched(StepBatch batch) {
        if (batch != null) {
            batch.close();
        }
    }
}
