package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.RandomPart;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Parts of random schemas and content, read by pyarrow, written by it, and read again: not a bit
 * differs.
 */
@Timeout(300)
class PyArrowRoundTripIT {
    private static final long PARTS = Long.getLong("parts", 300);
    private static final long FIRST_SEED = Long.getLong("seed", 0);

    /**
     * Taking rows makes pyarrow lay every value out anew: what it misreads comes back as something
     * else.
     */
    private static final String READ_AND_WRITE =
            """
            import pathlib, sys
            import pyarrow as pa
            folder = pathlib.Path(sys.argv[1])
            for path in sorted(folder.glob("*.in")):
                with pa.ipc.open_file(path) as part, pa.ipc.new_file(path.with_suffix(".out"), part.schema) as out:
                    for number in range(part.num_record_batches):
                        batch = part.get_batch(number)
                        batch.validate()
                        rows = pa.array(range(batch.num_rows - 1, -1, -1), pa.int64())
                        copy = batch.take(rows).take(rows)
                        copy.validate()
                        out.write_batch(copy)
            """;

    @TempDir private Path folder;

    @Test
    void pyarrowReadsAndWritesEveryBitOfAnyPart() throws Exception {
        Python python = Python.installed();
        List<RandomPart> parts = new ArrayList<>();
        for (long seed : LongStream.range(FIRST_SEED, FIRST_SEED + PARTS).toArray()) {
            RandomPart part = RandomPart.of(seed);
            Files.write(folder.resolve(parts.size() + ".in"), part.file().toArray());
            parts.add(part);
        }

        run(python);

        for (int i = 0; i < parts.size(); i++) {
            assertHolds(folder.resolve(i + ".out"), parts.get(i));
        }
    }

    private void run(Python python) throws IOException, InterruptedException {
        Path printed = folder.resolve("printed");
        Process process =
                new ProcessBuilder(
                                python.executable().toString(),
                                "-c",
                                READ_AND_WRITE,
                                folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
        assertThat(process.waitFor()).as(Files.readString(printed, UTF_8)).isZero();
    }

    private static void assertHolds(Path file, RandomPart part) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                FileChannel channel = FileChannel.open(file);
                ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
            assertThat(reader.getVectorSchemaRoot().getSchema())
                    .as(part.about())
                    .isEqualTo(part.schema().arrow());
            List<Bytes> digests = new ArrayList<>();
            for (ArrowBlock block : reader.getRecordBlocks()) {
                reader.loadRecordBatch(block);
                digests.add(LogicalDigest.of(part.schema(), reader.getVectorSchemaRoot()));
            }
            assertThat(digests).as(part.about()).isEqualTo(part.digests());
        }
    }
}
