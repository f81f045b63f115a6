package io.batchweave.e2e;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Sweep;
import io.batchweave.state.State;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.local.LocalStore;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What others do with an {@link Aged} dataset while a process is frozen. */
final class Meanwhile implements AutoCloseable {
    /** Enough that the log is trimmed past everything that was there before. */
    private static final int COMMITS = 130;

    /** Trims whatever can go. */
    private static final LogLimits LIMITS =
            new LogLimits(
                    LogLimits.DEFAULT.append(),
                    LogLimits.DEFAULT.backOffFirst(),
                    LogLimits.DEFAULT.backOffMost(),
                    LogLimits.DEFAULT.pollFirst(),
                    LogLimits.DEFAULT.pollMost(),
                    1);

    private static final Layout LAYOUT = new Layout(Scene.NAME);

    private final Objects objects;
    private final ObjectStore store;

    Meanwhile(Path warehouse) {
        objects = new Objects(warehouse);
        store = new LocalStore(warehouse, World.real());
    }

    Log log() {
        return Log.open(store, Scene.NAME, World.real(), LIMITS);
    }

    /** A producer makes many commits. */
    void publish() {
        try (Producer producer = Producer.open(log(), "o", ProducerLimits.DEFAULT, Runnable::run);
                BufferAllocator allocator = new RootAllocator()) {
            for (int number = 0; number < COMMITS; number++) {
                publish(producer, number, allocator);
            }
        }
    }

    private static void publish(Producer producer, int number, BufferAllocator allocator) {
        try (BatchWriter batch = producer.newBatch()) {
            for (int index = 0; index < producer.grid().slices(); index++) {
                try (VectorSchemaRoot slice = Numbers.slice(allocator, number, index)) {
                    batch.write(slice);
                }
            }
            batch.publish(Bytes.EMPTY, List.of()).join();
        }
    }

    /** The job keeps nothing from before a step that is near the end. */
    void trainToTheEnd() {
        Log log = log();
        Job job = new Jobs(log).open("j");
        long step = log.state().nextStep() - 10;
        for (String id : List.of("near", "nearer")) {
            String session = job.state().session().orElseThrow().id();
            String checkpoint = id + step;
            job.checkpoint(
                    new Saved(session, checkpoint, step, job.given(step), Saved.Direction.FORWARD));
        }
    }

    void sweep() {
        new Sweep(log(), objects -> {}).run();
    }

    /** The version up to which commits may be gone. */
    long trimmedTo() {
        List<String> boundaries = objects.keys(LAYOUT.boundaries());
        String last = boundaries.get(boundaries.size() - 1);
        return Long.parseLong(last.replaceAll(".*/|-.*", ""));
    }

    /** Commits that were created when their versions had been trimmed. */
    List<String> reborn() {
        return objects.keys(LAYOUT.commits()).stream()
                .filter(key -> key.compareTo(LAYOUT.commit(trimmedTo())) <= 0)
                .toList();
    }

    /** What a producer has published, by sequence: each once. */
    Map<Long, List<Part>> published(String producer) {
        Log log = log();
        return LongStream.range(0, log.state().nextStep())
                .mapToObj(log::step)
                .filter(step -> step.claim().producer().equals(producer))
                .collect(
                        Collectors.toMap(
                                step -> step.claim().sequence(), step -> step.batch().parts()));
    }

    /** All payload objects. */
    Set<String> payload() {
        return new TreeSet<>(objects.keys(LAYOUT.payload()));
    }

    /** Payload of the steps that are kept, and what may still be committed. */
    Set<String> neededPayload() {
        Log log = log();
        State state = log.state();
        Set<String> needed = Aged.uncommitted(state);
        for (long step = state.lowStep(); step < state.nextStep(); step++) {
            needed.add(LAYOUT.part(log.step(step).claim(), 0));
        }
        return needed;
    }

    @Override
    public void close() {
        store.close();
    }
}
