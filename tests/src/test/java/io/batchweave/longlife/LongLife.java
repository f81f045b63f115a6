package io.batchweave.longlife;

import io.batchweave.cli.verify.Finding;
import io.batchweave.cli.verify.Verifier;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Layout;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Sweep;
import io.batchweave.state.State;
import io.batchweave.store.MemoryStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A dataset in memory, and what producers, ranks and a sweep do with it, each in a thread. All
 * batches have as many bytes.
 */
final class LongLife implements AutoCloseable {
    static final int STEPS = 10_000;
    static final int PRODUCERS = 4;
    static final int RANKS = 2;
    static final int CHECKPOINT_EVERY = 100;
    static final String JOB = "j";
    static final String SESSION = "s";

    private static final int CHECKPOINTS_KEPT = 3;

    /** A batch says which of its producer's batches it is. */
    private static final long NUMBERS = 1_000_000;

    private static final DatasetName NAME = DatasetName.parse("train.numbers");
    private static final Duration POLL = Duration.ofMillis(2);

    private final World world = World.real();
    private final LivePayload store = new LivePayload(new MemoryStore(world));
    private final BufferAllocator allocator = new RootAllocator();
    private volatile long sweptTo;

    LongLife() {
        Log log = Log.create(store, NAME, Numbers.dataset("dp=4"), world, LogLimits.DEFAULT);
        // The job moves on by its checkpoints, so producers come no further than to the next one.
        log.append(List.of(new Alter(List.of(new MaxLead(CHECKPOINT_EVERY)))));
        new Jobs(log).attach(JOB, 0, CHECKPOINTS_KEPT).start(SESSION);
    }

    Log log() {
        return Log.open(store, NAME, world, LogLimits.DEFAULT);
    }

    LivePayload store() {
        return store;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    /** Publishes what one producer has, each batch in a commit of its own. */
    void produce(int number) {
        untilKnown(() -> produceOn(number));
    }

    /** Goes on where the producer was. */
    private long produceOn(int number) {
        long next = number * NUMBERS;
        long end = next + STEPS / PRODUCERS;
        try (Producer producer =
                Producer.open(log(), "p" + number, ProducerLimits.DEFAULT, Runnable::run)) {
            next = Math.max(next, Numbers.nextBatch(producer.progress()));
            for (; next < end; next++) {
                publish(producer, next);
            }
        }
        return next;
    }

    /** Does the same again, as one is told whose commit others have outrun for a minute. */
    static <T> T untilKnown(Supplier<T> work) {
        while (true) {
            try {
                return work.get();
            } catch (CommitUnknownException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private void publish(Producer producer, long number) {
        try (BatchWriter batch = producer.newBatch()) {
            for (int index = 0; index < producer.grid().slices(); index++) {
                try (VectorSchemaRoot slice = Numbers.slice(allocator, number, index)) {
                    batch.write(slice);
                }
            }
            CompletableFuture<Long> step = batch.publish(Numbers.progress(number + 1), List.of());
            producer.flush();
            step.join();
        }
    }

    static int producerOf(long batch) {
        return Math.toIntExact(batch / NUMBERS);
    }

    /** How many batches its producer has published before it. */
    static long before(long batch) {
        return batch % NUMBERS;
    }

    /** Sweeps again and again until the last checkpoint is made, and once more. */
    void sweep() {
        Log log = log();
        while (position(log.state()) < STEPS) {
            sweep(log);
            world.pause().pause(POLL);
        }
        sweep(log);
    }

    private void sweep(Log log) {
        sweptTo = untilKnown(() -> new Sweep(log, objects -> {}).run()).lowStep();
    }

    private static long position(State state) {
        return state.job(JOB).orElseThrow().position().nextStep();
    }

    /**
     * Waits until a sweep has come to its end that has seen the newest checkpoint. Where threads
     * starve it may come late, and what is measured is what a sweep keeps, not who gets to run.
     */
    void awaitSweep(Log log) {
        long pinned = position(log.state()) - (CHECKPOINTS_KEPT - 1) * CHECKPOINT_EVERY;
        while (sweptTo < pinned) {
            world.pause().pause(POLL);
        }
    }

    /** How many lie in the log. */
    int commits() {
        Layout layout = new Layout(NAME);
        return store.list(layout.commits(), "").folders().stream()
                .mapToInt(cut -> store.list(layout.commits() + "/" + cut, "").objects().size())
                .sum();
    }

    /** What is wrong with it. */
    List<Finding> findings() {
        return new Verifier(store, NAME, allocator, steps -> {}).verify().findings();
    }

    @Override
    public void close() {
        allocator.close();
    }
}
