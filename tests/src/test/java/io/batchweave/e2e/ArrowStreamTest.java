package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.Main;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.PayloadSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code read --arrow} prints, read by the stock Arrow library. */
class ArrowStreamTest {
    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void publish() {
        cli = new Cli(folder.resolve("warehouse"));
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.create("t.x", "dp=4");
        cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
    }

    @Test
    void theStreamHoldsEverySliceAsARecordBatch() throws IOException {
        List<String> expected =
                cli.digests("t.x", "--mesh", "dp=1/2").values().stream()
                        .flatMap(slices -> slices.values().stream())
                        .toList();

        assertThat(digests(stream("--mesh", "dp=1/2"))).isEqualTo(expected);
    }

    @Test
    void aRangeWithoutStepsIsAStreamWithoutBatches() throws IOException {
        assertThat(digests(stream("--steps", "0"))).isEmpty();
    }

    @Test
    void aStreamThatBreaksOffHasNoEndMark() throws IOException {
        byte[] whole = stream("--steps", "1");
        Objects objects = new Objects(cli.warehouse());
        objects.delete(objects.keys("t/x/data").get(1));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = Main.run(out, err, Cli.at(cli.warehouse().toString(), "read", "t.x", "--arrow"));

        assertThat(code).isEqualTo(5);
        assertThat(err.toString(UTF_8)).hasLineCount(1);
        byte[] endMark = {-1, -1, -1, -1, 0, 0, 0, 0};
        assertThat(whole).endsWith(endMark).startsWith(out.toByteArray());
        assertThat(out.size()).isEqualTo(whole.length - endMark.length);
    }

    private byte[] stream(String... more) {
        List<String> arguments = new ArrayList<>(List.of("read", "t.x", "--arrow"));
        arguments.addAll(List.of(more));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] command = Cli.at(cli.warehouse().toString(), arguments.toArray(String[]::new));
        assertThat(Main.run(out, err, command)).as(err.toString(UTF_8)).isZero();
        return out.toByteArray();
    }

    private static List<String> digests(byte[] stream) throws IOException {
        List<String> digests = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            while (reader.loadNextBatch()) {
                digests.add(
                        LogicalDigest.of(PayloadSchema.tokens(), reader.getVectorSchemaRoot())
                                .toHex());
            }
        }
        return digests;
    }
}
