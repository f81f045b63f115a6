package io.batchweave.sidecar;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Requests;
import io.batchweave.store.Stores;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A dataset of numbers on the local disk, and a sidecar that serves it, in this process. */
final class ServedNumbers implements AutoCloseable {
    private static final DatasetName NAME = DatasetName.parse("train.numbers");

    private final World world = World.real();
    private final Path folder;
    private final Path warehouse;
    private final Sidecar sidecar;
    private final Thread serving;

    /** Serves below a folder, with so much shared memory. */
    ServedNumbers(Path below, long memoryBytes) {
        folder = below.resolve("control");
        warehouse = below.resolve("warehouse");
        makeFolder(below);
        sidecar = Sidecar.start(world, settings(memoryBytes), new Identity("1", 77)).orElseThrow();
        serving = new Thread(sidecar::run, "serving");
        serving.start();
        try (ObjectStore store = Stores.make(warehouse.toString(), world)) {
            Log.create(store, NAME, Numbers.dataset("dp=12"), world, LogLimits.DEFAULT);
        }
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SidecarSettings settings(long memoryBytes) {
        return new ServedSettings(folder).with(memoryBytes);
    }

    Path warehouse() {
        return warehouse;
    }

    Path socket() {
        return settings(1).socketPath();
    }

    Sidecar sidecar() {
        return sidecar;
    }

    /** Batches up to a number, from where the producer is. */
    ServedNumbers publish(int end) {
        write(
                log -> {
                    try (BufferAllocator allocator = new RootAllocator();
                            Producer producer =
                                    Producer.open(
                                            log, "p", ProducerLimits.DEFAULT, Runnable::run)) {
                        List<CompletableFuture<Long>> steps = new ArrayList<>();
                        for (long n = Numbers.nextBatch(producer.progress()); n < end; n++) {
                            steps.add(publish(producer, n, allocator));
                        }
                        producer.flush();
                        steps.forEach(CompletableFuture::join);
                    }
                });
        return this;
    }

    private static CompletableFuture<Long> publish(
            Producer producer, long number, BufferAllocator allocator) {
        try (BatchWriter batch = producer.newBatch()) {
            for (int index = 0; index < producer.grid().slices(); index++) {
                try (VectorSchemaRoot slice = Numbers.slice(allocator, number, index)) {
                    batch.write(slice);
                }
            }
            return batch.publish(Numbers.progress(number + 1), List.of());
        }
    }

    ServedNumbers seal() {
        write(log -> log.append(List.of(new Seal(SealCondition.NONE))));
        return this;
    }

    /** Does something with a log of its own. */
    void write(Consumer<Log> work) {
        try (ObjectStore store = Stores.open(warehouse.toString(), world)) {
            work.accept(Log.open(store, NAME, world, LogLimits.DEFAULT));
        }
    }

    /** A trainer that reads at a place, with further fields. */
    TrainerProcess trainer(String more) {
        TrainerProcess trainer = TrainerProcess.known(socket());
        TrainerProcess.error(trainer.open(warehouse, more))
                .ifPresent(
                        error -> {
                            throw new AssertionError(error);
                        });
        return trainer;
    }

    /** What the sidecar asked of the warehouse while its readers were there. */
    Requests requests() {
        return sidecar.node().datasets().all().get(0).store().requests();
    }

    /** The arena files there are. */
    List<Path> files() {
        try (Stream<Path> files = Files.list(folder.resolve("arena-77"))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        sidecar.close();
        serving.join();
    }
}
