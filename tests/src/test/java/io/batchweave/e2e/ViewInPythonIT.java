package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The view of steps in PyIceberg and in DuckDB, through the REST endpoint. */
@Timeout(300)
class ViewInPythonIT {
    private static final Path SCRIPT =
            Path.of(System.getProperty("repository.root"), "tests/src/test/python/read_view.py");

    private static final Pattern AT = Pattern.compile("http://[0-9.]+:[0-9]+");

    @TempDir private Path folder;

    @Test
    void pyIcebergAndDuckDbSayWhatTheLogSays() throws Exception {
        Python python = Python.installed();
        Cli cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=2");
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.run(corpus.ingest("t.x", "p0")).succeeded();
        cli.run(corpus.ingest("t.x", "p1")).succeeded();
        cli.run("fold", "t.x").succeeded();

        try (CliProcess server =
                CliProcess.start(
                        folder,
                        Cli.at(
                                cli.warehouse().toString(),
                                "serve",
                                "--port",
                                "0",
                                "--read-only"))) {
            server.await("address", () -> AT.matcher(server.out()).find());
            String uri =
                    AT.matcher(server.out()).results().map(MatchResult::group).findFirst().get();
            String told = printed(python, SCRIPT.toString(), uri, "t", "x_steps");

            String line = expected(cli.run("steps", "t.x", "--json").succeeded().json());
            assertThat(told).isEqualTo(line + "\n" + line + "\n");
        }
    }

    /** Steps, rows and bytes of each producer, as the script prints them. */
    private static String expected(List<JsonNode> steps) {
        Map<String, long[]> told = new TreeMap<>();
        for (JsonNode step : steps) {
            long[] counts = told.computeIfAbsent(step.get("producer").asText(), p -> new long[3]);
            counts[0]++;
            counts[1] += step.get("rows").asLong();
            counts[2] += step.get("bytes").asLong();
        }
        StringBuilder line = new StringBuilder();
        told.forEach(
                (producer, counts) ->
                        line.append(
                                String.format(
                                        Locale.ROOT,
                                        "%s\"%s\": [%d, %d, %d]",
                                        line.isEmpty() ? "" : ", ",
                                        producer,
                                        counts[0],
                                        counts[1],
                                        counts[2])));
        return "{" + line + "}";
    }

    private String printed(Python python, String... arguments) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(python.executable().toString())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.command().addAll(List.of(arguments));
        int code = builder.start().waitFor();
        assertThat(code).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }
}
