package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard output that somebody stops reading, and one that takes nothing. */
@Timeout(300)
class PipesIT {
    @TempDir private Path folder;
    private Path errors;
    private Cli cli;

    @BeforeEach
    void publish() throws IOException {
        errors = Files.createFile(folder.resolve("errors"));
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=64");
        // Far more lines than a pipe holds; not sealed, so that who does not notice would wait.
        Path text = Files.writeString(folder.resolve("a.txt"), "one two three ".repeat(15_000));
        cli.run("ingest", "t.x", text.toString(), "--producer", "p0", "--seq-len", "16")
                .succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--stats", "--json", "--arrow"})
    void readEndsQuietlyWhenItsReaderHasEnough(String form) throws Exception {
        Process read = read(form).redirectError(errors.toFile()).start();
        try {
            byte[] begin = read.getInputStream().readNBytes(40);
            read.getInputStream().close();

            assertThat(begin).hasSize(40);
            assertThat(read.waitFor()).isZero();
            assertThat(Files.readString(errors)).doesNotContain("batchweave:");
        } finally {
            read.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--stats", "--json", "--arrow"})
    void outputThatCannotBeWrittenIsAnError(String form) throws Exception {
        Path full = Path.of("/dev/full");
        Require.that(Files.exists(full), "a full output is /dev/full, which only Linux has");
        Process read =
                read(form)
                        .redirectOutput(Redirect.to(full.toFile()))
                        .redirectError(errors.toFile())
                        .start();
        try {
            assertThat(read.waitFor()).isEqualTo(3);
            assertThat(Files.readAllLines(errors, UTF_8))
                    .contains(
                            "batchweave: Cannot write to standard output: No space left on device");
        } finally {
            read.destroyForcibly();
        }
    }

    private ProcessBuilder read(String form) {
        List<String> command = List.of("read", "t.x", form, "--wait", "60s");
        return CliProcess.builder(
                Cli.at(cli.warehouse().toString(), command.toArray(String[]::new)));
    }
}
