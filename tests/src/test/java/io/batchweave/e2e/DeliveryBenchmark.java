package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The delivery to a trainer process beside plain writes, Flight and pyarrow: times are printed. */
class DeliveryBenchmark {
    private static final Path ROOT = Path.of(System.getProperty("repository.root"));
    private static final Path SCRIPT = ROOT.resolve("tests/src/test/python/delivery_benchmark.py");
    private static final Pattern FLIGHT = Pattern.compile("Arrow Flight at port (\\d+)");

    /** Rows of 64 KiB, half a GiB together. */
    private static final String ROWS =
            """
            import pyarrow as pa, os, sys
            row, rows = pa.binary(65536), 8192
            column = pa.FixedSizeBinaryArray.from_buffers(
                row, rows, [None, pa.py_buffer(os.urandom(65536 * rows))])
            with pa.ipc.new_file(sys.argv[1], pa.schema([pa.field("x", row)])) as file:
                file.write_table(pa.table({"x": column}), max_chunksize=256)
            """;

    @TempDir private Path folder;

    @Test
    void sidecarToTrainer() throws Exception {
        Python python = Python.installed();
        String warehouse = folder.resolve("warehouse").toString();
        String rows = folder.resolve("rows.arrow").toString();
        run(python, Map.of(), "-c", ROWS, rows);
        cli(
                "create",
                "bench.bytes",
                "--grid",
                "dp=4",
                "--schema",
                "x:fixed(65536)!",
                "-w",
                warehouse);
        cli(
                "ingest",
                "bench.bytes",
                rows,
                "--producer",
                "p",
                "--rows-per-slice",
                "64",
                "--seal",
                "-w",
                warehouse);
        Path shared = Files.createTempDirectory(Path.of("/dev/shm"), "benchmark");
        try (CliProcess sidecar = sidecar(shared)) {
            sidecar.await("port", () -> port(sidecar).findAny().isPresent());
            run(
                    python,
                    Map.of(
                            "PYTHONPATH",
                            ROOT.resolve("arrow-reader/python/src").toString(),
                            "BATCHWEAVE_SHM_DIR",
                            shared.toString()),
                    SCRIPT.toString(),
                    warehouse,
                    "bench.bytes",
                    port(sidecar).findAny().orElseThrow(),
                    System.getProperty("bench.rounds", "20"));
            sidecar.signal("TERM");
            sidecar.end();
        }
        assertThat(delete(shared)).as("its lock is all that a sidecar leaves").isEqualTo(1);
    }

    /** Deletes a folder, and says how many files were left in it. */
    private static int delete(Path shared) throws IOException {
        int files = 0;
        try (Stream<Path> left = Files.walk(shared)) {
            for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                files += Files.isRegularFile(path) ? 1 : 0;
                Files.delete(path);
            }
        }
        return files;
    }

    private CliProcess sidecar(Path shared) {
        return CliProcess.start(
                folder,
                List.of("-Xmx512m", "-XX:+UseSerialGC"),
                "io.batchweave.cli.Main",
                "sidecar",
                "--shm-dir",
                shared.toString(),
                "--idle",
                "0s",
                "--flight",
                "127.0.0.1:0");
    }

    private static Stream<String> port(CliProcess sidecar) {
        return FLIGHT.matcher(sidecar.out())
                .results()
                .map(MatchResult::group)
                .map(line -> line.substring(line.lastIndexOf(' ') + 1));
    }

    private static void cli(String... arguments) {
        assertThat(Cli.runAlone(arguments).code()).isZero();
    }

    private void run(Python python, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path printed = folder.resolve("printed");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Stream.concat(
                                                Stream.of(python.executable().toString()),
                                                Stream.of(arguments))
                                        .toList())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile());
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        String text = Files.readString(printed);
        assertThat(code).as(text).isZero();
        System.out.print(text);
    }
}
