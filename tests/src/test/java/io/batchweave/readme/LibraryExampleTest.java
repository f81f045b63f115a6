package io.batchweave.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README, which stand there as they stand here between the marks. */
class LibraryExampleTest {
    private static final Path README = Path.of(System.getProperty("repository.root"), "README.md");
    private static final Path THIS =
            Path.of(
                    System.getProperty("repository.root"),
                    "tests/src/test/java/io/batchweave/readme/LibraryExampleTest.java");

    @TempDir Path folder;

    private final List<CompletableFuture<Long>> steps = new ArrayList<>();
    private final List<String> trained = new ArrayList<>();
    private String warehouse;
    private String checkpoint = "";

    @BeforeEach
    void createDataset() {
        warehouse = folder.toString();
        World world = World.real();
        try (ObjectStore store = Stores.open(warehouse, world)) {
            Log.create(
                    store,
                    DatasetName.parse("demo.numbers"),
                    new CreateDataset(
                            world.newId(),
                            PayloadSchema.tokens().json(),
                            SliceGrid.parse("dp=2").axes(),
                            List.of(),
                            List.of()),
                    world,
                    LogLimits.DEFAULT);
        }
    }

    @Test
    void theExamplesPublishOnceHoweverOftenTheyRunAndReadItAll() {
        publish();
        publish();
        seal();
        read();
        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
        assertThat(trained).containsExactly("slice 0 of 2 rows", "slice 0 of 2 rows");
        assertThat(checkpoint).contains(":2:");
    }

    @Test
    void theReadmeShowsTheseVeryLines() throws IOException {
        String readme = Files.readString(README);
        for (String example : List.of("publishing", "reading")) {
            assertThat(readme).contains(linesOf(example));
        }
    }

    private void seal() {
        World world = World.real();
        try (ObjectStore store = Stores.open(warehouse, world)) {
            Log.open(store, DatasetName.parse("demo.numbers"), world, LogLimits.DEFAULT)
                    .append(List.of(new Seal(SealCondition.NONE)));
        }
    }

    private void publish() {
        // publishing
        World world = World.real();
        ExecutorService committer = Executors.newFixedThreadPool(4);
        try (ObjectStore store = Stores.open(warehouse, world);
                BufferAllocator allocator = new RootAllocator()) {
            Log log = Log.open(store, DatasetName.parse("demo.numbers"), world, LogLimits.DEFAULT);
            try (Producer producer = Producer.open(log, "p0", ProducerLimits.DEFAULT, committer)) {
                Input input = Input.after(producer.progress()); // where the log says it stopped
                while (input.hasNext()) {
                    try (BatchWriter batch = producer.newBatch()) {
                        for (int slice = 0; slice < producer.grid().slices(); slice++) {
                            try (VectorSchemaRoot rows = input.next(producer, allocator)) {
                                batch.write(rows); // has left for the store when this returns
                            }
                        }
                        steps.add(batch.publish(input.position(), List.of()));
                    }
                }
                producer.flush(); // all are in the log, each once, however often this is run
            }
        } finally {
            committer.shutdown();
        }
        // end of publishing
    }

    private void read() {
        // reading
        World world = World.real();
        ExecutorService fetchers = Executors.newFixedThreadPool(4);
        try (ObjectStore store = Stores.open(warehouse, world);
                BufferAllocator allocator = new RootAllocator()) {
            Log log = Log.open(store, DatasetName.parse("demo.numbers"), world, LogLimits.DEFAULT);
            Place place = Place.parse("dp=0/2", log.state().dataset().grid());
            try (StepReader reader =
                    StepReader.open(log, place, 0, ReadLimits.DEFAULT, allocator, fetchers)) {
                Optional<StepBatch> next = reader.next(Duration.ofSeconds(30));
                while (next.isPresent()) { // until the dataset is sealed and over
                    try (StepBatch step = next.get()) {
                        step.slices().forEach(this::train); // Arrow buffers: the fetched memory
                        checkpoint = step.cursor().toString(); // StepReader.resume goes on here
                    }
                    next = reader.next(Duration.ofSeconds(30));
                }
            }
        } finally {
            fetchers.shutdown();
        }
        // end of reading
    }

    /** Two batches of two slices of two rows. */
    private static final class Input {
        private static final int SLICES = 4;

        private int taken;

        static Input after(Bytes progress) {
            Input input = new Input();
            input.taken = progress.length();
            return input;
        }

        boolean hasNext() {
            return taken < SLICES;
        }

        Bytes position() {
            return Bytes.copyOf(new byte[taken]);
        }

        VectorSchemaRoot next(Producer producer, BufferAllocator allocator) {
            VectorSchemaRoot rows = VectorSchemaRoot.create(producer.schema().arrow(), allocator);
            rows.allocateNew();
            IntVector valid = (IntVector) rows.getVector("valid");
            for (int row = 0; row < 2; row++) {
                valid.setSafe(row, taken);
                for (String column : List.of("tokens", "doc_starts")) {
                    ListVector lists = (ListVector) rows.getVector(column);
                    lists.startNewValue(row);
                    lists.endValue(row, 0);
                }
            }
            rows.setRowCount(2);
            taken++;
            return rows;
        }
    }

    private void train(SliceBatch slice) {
        trained.add("slice " + slice.index() + " of " + slice.rows().getRowCount() + " rows");
    }

    private static String linesOf(String example) throws IOException {
        String source = Files.readString(THIS);
        String begin = "        // " + example + "\n";
        int start = source.indexOf(begin) + begin.length();
        return source.substring(start, source.indexOf("        // end of " + example))
                .lines()
                .map(line -> line.isBlank() ? "" : line.substring(8))
                .collect(Collectors.joining("\n"));
    }
}
