package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trainer written in Python, with nothing of ours in it. */
@Timeout(300)
class PyArrowIT {
    /** The whole input loop of a trainer. */
    private static final String LOOP =
            """
            import sys, pyarrow as pa
            for batch in pa.ipc.open_stream(sys.stdin.buffer):
                tokens = batch["tokens"].flatten()
                print(batch.num_rows, "rows", len(tokens), "tokens")
            """;

    private static final String VALID_TOKENS =
            """
            import sys, pyarrow as pa
            tokens = []
            for batch in pa.ipc.open_stream(sys.stdin.buffer):
                batch.validate(full=True)
                for row in batch.to_pylist():
                    tokens += row["tokens"][:row["valid"]]
            print(tokens)
            """;

    @TempDir private Path folder;
    private Python python;
    private Corpus corpus;
    private Cli cli;

    @BeforeEach
    void publish() {
        python = Python.installed();
        cli = new Cli(folder.resolve("warehouse"));
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 100);
        cli.create("t.x", "dp=4");
        cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
    }

    @Test
    void theLinesOfTheReadmeGetEveryBatchOfARank() throws Exception {
        assertThat(Readme.text()).contains(LOOP);
        long slices = 2 * cli.steps("t.x");

        assertThat(printed(LOOP, "--mesh", "dp=1/2").lines())
                .hasSize((int) slices)
                .containsOnly("1 rows 512 tokens");
    }

    @Test
    void pythonGetsTheTokensOfTheText() throws Exception {
        String printed = printed(VALID_TOKENS);

        Integer[] tokens = new ObjectMapper().readValue(printed, Integer[].class);
        assertThat(List.of(tokens)).isEqualTo(corpus.tokenIds());
    }

    private String printed(String script, String... place) throws IOException {
        Path errors = folder.resolve("errors");
        String[] read = {"read", "t.x", "--arrow"};
        String[] command = Cli.at(cli.warehouse().toString(), Cli.joined(read, place));
        List<Process> pipeline =
                ProcessBuilder.startPipeline(
                        List.of(
                                CliProcess.builder(command)
                                        .redirectError(Redirect.appendTo(errors.toFile())),
                                new ProcessBuilder(python.executable().toString(), "-c", script)
                                        .redirectError(Redirect.appendTo(errors.toFile()))));
        String out = new String(pipeline.get(1).getInputStream().readAllBytes(), UTF_8);
        assertThat(pipeline)
                .as(Files.readString(errors))
                .allSatisfy(process -> assertThat(process.onExit().join().exitValue()).isZero());
        return out;
    }
}
