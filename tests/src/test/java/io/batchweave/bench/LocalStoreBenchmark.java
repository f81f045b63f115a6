package io.batchweave.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.state.StepRecord;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Publishing and reading on the local store beside the limit: the same bytes by plain file calls on
 * the same disk, the two in turn, in one run. Times are printed; only counts decide.
 */
class LocalStoreBenchmark {
    private static final int ROUNDS = 15;
    private static final int BATCHES_PER_ROUND = 16;

    /** Readers of 2 GiB: what one takes at its start does not count for much. */
    private static final int READ_ROUNDS_OF_BATCHES = 8;

    private static final int SLICES = 8;
    private static final int SLICE_BYTES = 2 << 20;

    @TempDir Path folder;

    private final World world = World.real();
    private final BufferAllocator allocator = new RootAllocator();
    private final ExecutorService committer = Executors.newSingleThreadExecutor();
    private final ExecutorService fetchers = Executors.newFixedThreadPool(2);
    private CountingStore store;
    private Log log;

    @BeforeEach
    void createDataset() {
        store = new CountingStore(Stores.open(folder.toString(), world));
        log =
                Log.create(
                        store,
                        DatasetName.parse("bench.local"),
                        new CreateDataset(
                                world.newId(),
                                PayloadSchema.tokens().json(),
                                SliceGrid.parse("dp=" + SLICES).axes(),
                                List.of(),
                                List.of()),
                        world,
                        LogLimits.DEFAULT);
    }

    @AfterEach
    void closeAll() {
        committer.shutdown();
        fetchers.shutdown();
        store.close();
        allocator.close();
    }

    @Test
    void publishingBesidePlainWritesAndSyncs() throws IOException {
        Timings timings = new Timings("write + fsync", "publish");
        try (Producer producer = Producer.open(log, "p0", ProducerLimits.DEFAULT, committer);
                VectorSchemaRoot slice = TokenRows.of(allocator, SLICE_BYTES)) {
            for (int round = 0; round < ROUNDS; round++) {
                int number = round;
                timings.time(() -> writePlainly(number), () -> publish(producer, slice));
            }
        }
        timings.print("publish 16 MiB batches", (long) BATCHES_PER_ROUND * SLICES * SLICE_BYTES);
        assertThat(log.state().nextStep())
                .isEqualTo((ROUNDS + Timings.WARM_UPS) * BATCHES_PER_ROUND);
    }

    @Test
    void readingBesidePlainRangedReads() throws IOException {
        try (Producer producer = Producer.open(log, "p0", ProducerLimits.DEFAULT, committer);
                VectorSchemaRoot slice = TokenRows.of(allocator, SLICE_BYTES)) {
            for (int round = 0; round < READ_ROUNDS_OF_BATCHES; round++) {
                publish(producer, slice);
            }
        }
        Timings timings = new Timings("ranged reads", "read");
        long bytes =
                log.state().steps().recent().stream()
                        .mapToLong(LocalStoreBenchmark::sliceBytes)
                        .sum();
        long fetched = store.requests().bytesDown();
        for (int round = 0; round < ROUNDS; round++) {
            timings.time(this::readPlainly, this::readSteps);
        }
        fetched = store.requests().bytesDown() - fetched;
        timings.print("read 16 MiB batches", bytes);
        assertThat((double) fetched / ((ROUNDS + Timings.WARM_UPS) * bytes)).isBetween(1.0, 1.01);
    }

    private void publish(Producer producer, VectorSchemaRoot slice) {
        for (int i = 0; i < BATCHES_PER_ROUND; i++) {
            try (BatchWriter batch = producer.newBatch()) {
                for (int written = 0; written < SLICES; written++) {
                    batch.write(slice);
                }
                assertThat(batch.publish(Bytes.EMPTY, List.of())).isNotCancelled();
            }
        }
        producer.flush();
    }

    private void writePlainly(int round) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(SLICE_BYTES);
        for (int i = 0; i < BATCHES_PER_ROUND; i++) {
            Path file = folder.resolve("plain-" + round + "-" + i);
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                for (int written = 0; written < SLICES; written++) {
                    channel.write(bytes.clear());
                }
                channel.force(true);
            }
        }
    }

    private void readSteps() {
        Place place = Place.whole(log.state().dataset().grid());
        ReadLimits limits = new ReadLimits(64L << 20, log.state().nextStep());
        try (StepReader reader = StepReader.open(log, place, 0, limits, allocator, fetchers)) {
            for (Optional<StepBatch> next = reader.next(Duration.ZERO);
                    next.isPresent();
                    next = reader.next(Duration.ZERO)) {
                next.get().close();
            }
        }
    }

    private void readPlainly() throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(SLICES * (SLICE_BYTES + (1 << 20)));
        for (StepRecord step : log.state().steps().recent()) {
            List<Part> parts = step.batch().parts();
            for (int part = 0; part < parts.size(); part++) {
                Path file = folder.resolve(log.layout().part(step.claim(), part));
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    List<Slice> slices = parts.get(part).slices();
                    long start = slices.get(0).offset();
                    target.clear().limit((int) sliceBytes(step));
                    channel.read(target, start);
                }
            }
        }
    }

    private static long sliceBytes(StepRecord step) {
        return step.batch().parts().stream()
                .flatMap(part -> part.slices().stream())
                .mapToLong(Slice::length)
                .sum();
    }
}
