package io.batchweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orders by the command line. */
class OrderOptionsTest {
    @TempDir Path folder;
    private Path lines;
    private String told;

    @BeforeEach
    void createDatasets() throws IOException {
        lines =
                Files.writeString(
                        folder.resolve("a.jsonl"),
                        IntStream.range(0, 50)
                                .mapToObj(n -> "{\"n\":%d,\"t\":\"row %d\"}\n".formatted(n, n))
                                .collect(Collectors.joining()));
        run("create", "ns.rows", "--grid", "dp=2", "--schema", "n:int!");
        run("create", "ns.text", "--grid", "dp=2", "--tokens");
    }

    @Test
    void partsOfAShuffleTakeEveryRowOnceAnEpoch() throws IOException {
        for (int part = 1; part <= 3; part++) {
            assertThat(ingest("p" + part, 3, "--epochs", "2", "--part", part + "/3"))
                    .isEqualTo(ExitCode.OK);
        }

        List<Integer> rows = rows();
        assertThat(rows).hasSize(100).isNotEqualTo(rows.stream().sorted().toList());
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 100).mapToObj(n -> n % 50).toList());
    }

    @Test
    void anotherSeedForTheSameProducerIsRefused() {
        ingest("p", 3);

        assertThat(ingest("p", 4)).isEqualTo(ExitCode.INVALID);
        assertThat(told).contains("--shuffle was 3 for what is committed and is 4 now");
        assertThat(ingest("p", 3)).isEqualTo(ExitCode.OK);
        assertThat(told).contains("Nothing to do");
    }

    @Test
    void textsThatWereReadInTheirOrderCannotGoOnInAnother() {
        String[] ingest = {"ingest", "ns.text", lines.toString(), "--producer", "p"};
        String[] shape = {"--field", "t", "--seq-len", "8"};
        assertThat(run(joined(ingest, shape))).isEqualTo(ExitCode.OK);

        assertThat(run(joined(ingest, joined(shape, "--shuffle", "3"))))
                .isEqualTo(ExitCode.INVALID);
        assertThat(told).contains("--shuffle was not given for what is committed and is 3 now");
    }

    @Test
    void textsThatWereShuffledCannotGoOnInTheirOrder() {
        String[] ingest = {"ingest", "ns.text", lines.toString(), "--producer", "p"};
        String[] shape = {"--field", "t", "--seq-len", "8"};
        assertThat(run(joined(ingest, joined(shape, "--shuffle", "3")))).isEqualTo(ExitCode.OK);

        assertThat(run(joined(ingest, shape))).isEqualTo(ExitCode.INVALID);
        assertThat(told).contains("--shuffle was 3 for what is committed and is not given now");
    }

    @Test
    void rowsCannotFollowWhatWasReadAsText() throws IOException {
        String[] shape = {"--producer", "p", "--field", "t", "--seq-len", "8"};
        run(joined(new String[] {"ingest", "ns.text", lines.toString()}, shape));
        Path rows = folder.resolve("b.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(rows))) {
            out.write("{\"t\":\"more\"}".getBytes(UTF_8));
        }

        assertThat(
                        run(
                                joined(
                                        new String[] {
                                            "ingest", "ns.text", lines.toString(), rows.toString()
                                        },
                                        shape)))
                .isEqualTo(ExitCode.INVALID);
        assertThat(told).contains("ingest it by another producer");
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        for (String[] options :
                new String[][] {
                    {"--shuffle-window", "5"},
                    {"--shuffle", "1", "--shuffle-window", "0"},
                    {"--shuffle", "1", "--shuffle-window", "1000000000"},
                    {"--epochs", "0"},
                    {"--part", "0/3"},
                    {"--part", "4/3"},
                    {"--part", "half"},
                    {"--part", "1/999999"}
                }) {
            String[] ingest = {"ingest", "ns.rows", lines.toString(), "--producer", "q"};
            String[] rows = {"--rows-per-slice", "2"};
            assertThat(run(joined(ingest, joined(rows, options))))
                    .as(String.join(" ", options))
                    .isEqualTo(ExitCode.INVALID);
            assertThat(told).startsWith("batchweave: ").hasLineCount(1);
        }
    }

    private ExitCode ingest(String producer, int seed, String... more) {
        String[] ingest = {
            "ingest",
            "ns.rows",
            lines.toString(),
            "--producer",
            producer,
            "--rows-per-slice",
            "3",
            "--shuffle",
            String.valueOf(seed),
            "--shuffle-window",
            "8"
        };
        return run(joined(ingest, more));
    }

    /** The rows of all slices, in order. */
    private List<Integer> rows() throws IOException {
        run("seal", "ns.rows");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main.run(out, out, "read", "ns.rows", "--arrow", "--warehouse", warehouse());
        List<Integer> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(out.toByteArray()), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                for (int row = 0; row < root.getRowCount(); row++) {
                    rows.add((Integer) root.getVector("n").getObject(row));
                }
            }
        }
        return rows;
    }

    private String warehouse() {
        return folder.resolve("warehouse").toString();
    }

    private static String[] joined(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private ExitCode run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = Main.run(out, out, joined(arguments, "--warehouse", warehouse()));
        told = out.toString(UTF_8);
        for (ExitCode known : ExitCode.values()) {
            if (known.code() == code) {
                return known;
            }
        }
        throw new AssertionError("There is no exit code " + code);
    }
}
