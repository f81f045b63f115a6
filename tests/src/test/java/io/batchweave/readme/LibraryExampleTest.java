package io.batchweave.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
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

    private final List<Long> published = new ArrayList<>();
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
    void theExamplesPublishAndReadOneStep() {
        publish();
        read();
        assertThat(published).containsExactly(0L);
        assertThat(trained).containsExactly("0 of 2 rows");
        assertThat(checkpoint).contains(":1:");
    }

    @Test
    void theReadmeShowsTheseVeryLines() throws IOException {
        String readme = Files.readString(README);
        for (String example : List.of("publishing", "reading")) {
            assertThat(readme).contains(linesOf(example));
        }
    }

    private void publish() {
        // publishing
        World world = World.real();
        try (ObjectStore store = Stores.open(warehouse, world);
                BufferAllocator allocator = new RootAllocator()) {
            Log log = Log.open(store, DatasetName.parse("demo.numbers"), world, LogLimits.DEFAULT);
            try (Producer producer =
                            Producer.open(log, "p0", ProducerLimits.DEFAULT, Runnable::run);
                    BatchWriter batch = producer.newBatch()) {
                Bytes restart = producer.progress(); // where the producer before this one stopped
                for (int slice = 0; slice < producer.grid().slices(); slice++) {
                    try (VectorSchemaRoot rows = rowsAfter(restart, producer, allocator)) {
                        batch.write(rows); // has left for the store when this returns
                    }
                }
                long step = batch.publish(Bytes.EMPTY, List.of(new Count("rows", 4))).join();
                published.add(step);
            }
        }
        // end of publishing
    }

    private void read() {
        // reading
        World world = World.real();
        try (ObjectStore store = Stores.open(warehouse, world);
                BufferAllocator allocator = new RootAllocator()) {
            Log log = Log.open(store, DatasetName.parse("demo.numbers"), world, LogLimits.DEFAULT);
            Place place = Place.parse("dp=0/2", log.state().dataset().grid());
            ReadLimits limits = ReadLimits.DEFAULT.endingAt(1);
            try (StepReader reader =
                    StepReader.open(log, place, 0, limits, allocator, Runnable::run)) {
                Optional<StepBatch> next = reader.next(Duration.ofSeconds(30));
                while (next.isPresent()) {
                    try (StepBatch step = next.get()) {
                        step.slices().forEach(this::train); // Arrow buffers: the fetched memory
                        checkpoint = step.cursor().toString(); // StepReader.resume goes on here
                    }
                    next = reader.next(Duration.ofSeconds(30));
                }
            }
        }
        // end of reading
    }

    private static VectorSchemaRoot rowsAfter(
            Bytes restart, Producer producer, BufferAllocator allocator) {
        assertThat(restart).isEqualTo(Bytes.EMPTY);
        VectorSchemaRoot rows = VectorSchemaRoot.create(producer.schema().arrow(), allocator);
        rows.allocateNew();
        IntVector valid = (IntVector) rows.getVector("valid");
        valid.setSafe(0, 7);
        valid.setSafe(1, 8);
        for (String list : List.of("tokens", "doc_starts")) {
            ListVector lists = (ListVector) rows.getVector(list);
            lists.startNewValue(0);
            lists.endValue(0, 0);
            lists.startNewValue(1);
            lists.endValue(1, 0);
        }
        rows.setRowCount(2);
        return rows;
    }

    private void train(SliceBatch slice) {
        trained.add(slice.index() + " of " + slice.rows().getRowCount() + " rows");
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
