package io.batchweave.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.payload.SliceReader;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.Fetched;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Requests;
import io.batchweave.world.HandClock;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A dataset of {@link Numbers} in memory, and two ways to it: one that is counted and on which
 * calls go wrong as a test plans, and one on which all goes well.
 */
public final class Scene implements AutoCloseable {
    public static final DatasetName NAME = DatasetName.parse("train.numbers");
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    private final HandClock clock = new HandClock(START);
    private final MemoryStore memory = new MemoryStore(clock.world(1));
    private final FaultPlan.Script script = new FaultPlan.Script();
    private final FaultyStore faulty;
    private final CountingStore store;
    private final BufferAllocator allocator = new RootAllocator();
    private Consumer<Call> watcher = call -> {};
    private long worlds = 10;

    /** Makes the dataset, with this grid and these declared producers or none. */
    public Scene(String grid, String... producers) {
        this(FaultPlan.none(), grid, producers);
    }

    /** The same, on whose way calls go wrong by this plan too. */
    public Scene(FaultPlan plan, String grid, String... producers) {
        faulty = new FaultyStore(memory, new WatchedPlan(plan));
        store = new CountingStore(faulty);
        Log.create(
                memory, NAME, Numbers.dataset(grid, producers), clock.world(2), LogLimits.DEFAULT);
    }

    public HandClock clock() {
        return clock;
    }

    /** The store itself. */
    public MemoryStore memory() {
        return memory;
    }

    /** The way on which calls are counted and go wrong. */
    public ObjectStore store() {
        return store;
    }

    public Requests requests() {
        return store.requests();
    }

    public BufferAllocator allocator() {
        return allocator;
    }

    /** The next calls of a kind come out so. */
    public Scene next(Kind kind, Fault... faults) {
        script.next(kind, faults);
        return this;
    }

    /** Is told of every call before it reaches the store, in the caller's thread. */
    public void watch(Consumer<Call> newWatcher) {
        watcher = newWatcher;
    }

    /** Lets requests arrive that are under way. */
    public void applyLate() {
        faulty.applyLate();
    }

    /** Does something once, the next time that somebody pauses. */
    public void atNextPause(Runnable action) {
        clock.whilePausing(
                pause -> {
                    clock.whilePausing(next -> {});
                    action.run();
                });
    }

    /** A log of its own, on the way that goes wrong. */
    public Log log() {
        return log(store);
    }

    /** A log of its own, on another way. */
    public Log log(ObjectStore way) {
        return Log.open(way, NAME, clock.world(worlds++), LogLimits.DEFAULT);
    }

    /** What the log says to a reader who starts now. */
    public State truth() {
        return reader().state();
    }

    /** The commits after the one that made the dataset. */
    public List<Commit> commits() {
        Log reader = reader();
        List<Commit> commits = new ArrayList<>();
        for (long version = 1; version <= reader.state().version(); version++) {
            commits.add(reader.read(version).orElseThrow());
        }
        return commits;
    }

    private Log reader() {
        return log(memory);
    }

    /** Opens a producer that commits in the thread that publishes. */
    public Producer producer(String name) {
        return producer(name, ProducerLimits.DEFAULT, Runnable::run);
    }

    public Producer producer(String name, ProducerLimits limits, Executor committer) {
        return Producer.open(log(), name, limits, committer);
    }

    /** Publishes the batch of this number, with progress to the next, and returns its step. */
    public long publish(Producer producer, long number) {
        CompletableFuture<Long> step = submit(producer, number);
        producer.flush();
        return step.join();
    }

    /** Hands the batch of this number over to be committed. */
    public CompletableFuture<Long> submit(Producer producer, long number) {
        try (BatchWriter batch = producer.newBatch()) {
            write(batch, number, producer.grid().slices());
            return batch.publish(Numbers.progress(number + 1), List.of());
        }
    }

    /** Writes the first slices of the batch of this number. */
    public void write(BatchWriter batch, long number, int slices) {
        for (int index = 0; index < slices; index++) {
            try (VectorSchemaRoot slice = Numbers.slice(allocator, number, index)) {
                batch.write(slice);
            }
        }
    }

    /** The payload objects there are. */
    public List<String> payload() {
        return objects(new Layout(NAME).payload());
    }

    private List<String> objects(String folder) {
        List<String> keys = new ArrayList<>();
        memory.list(folder, "").objects().forEach(object -> keys.add(object.key()));
        memory.list(folder, "").folders().forEach(f -> keys.addAll(objects(folder + "/" + f)));
        return keys;
    }

    /** Fails unless the payload of a step is, byte for byte, the batch of this number. */
    public void assertHolds(StepRecord step, long number) {
        int index = 0;
        for (int part = 0; part < step.batch().parts().size(); part++) {
            Part written = step.batch().parts().get(part);
            String key = new Layout(NAME).part(step.claim(), part);
            ByteBuffer body = ((Fetched.Found) memory.read(key, Integer.MAX_VALUE)).body();
            assertThat(body.remaining()).isEqualTo((int) written.length());
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            assertThat(Bytes.copyOf(Bytes.sha256().digest(bytes))).isEqualTo(written.digest());
            for (Slice slice : written.slices()) {
                assertHolds(key, bytes, slice, number, index++);
            }
        }
    }

    private void assertHolds(String key, byte[] object, Slice slice, long number, int index) {
        int length = (int) slice.length();
        SliceReader.verify(ByteBuffer.wrap(object, (int) slice.offset(), length), slice, key);
        try (ArrowBuf buffer = allocator.buffer(length)) {
            buffer.setBytes(0, object, (int) slice.offset(), length);
            SliceReader reader = new SliceReader(Numbers.SCHEMA, allocator);
            try (VectorSchemaRoot rows = reader.read(buffer, slice, key)) {
                assertThat(Numbers.areThoseOf(rows, number, index))
                        .as("%s holds slice %d of batch %d", key, index, number)
                        .isTrue();
            }
        }
    }

    /** Fails if memory of Arrow is still in use. */
    @Override
    public void close() {
        allocator.close();
    }

    private final class WatchedPlan implements FaultPlan {
        private final FaultPlan plan;

        WatchedPlan(FaultPlan plan) {
            this.plan = plan;
        }

        @Override
        public Fault faultOf(Call call) {
            watcher.accept(call);
            Fault next = script.faultOf(call);
            return next == Fault.NONE ? plan.faultOf(call) : next;
        }

        @Override
        public boolean late(Call call) {
            return plan.late(call);
        }
    }
}
