package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C, and the signal that schedulers send: a line that says what stays and what to do. */
class SignalsIT {
    private static final Layout LAYOUT = new Layout(DatasetName.parse("t.x"));

    @TempDir private Path folder;
    private Cli cli;
    private Corpus corpus;

    @BeforeAll
    static void requireSignals() {
        CliProcess.requireSignals();
    }

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=2");
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 300);
    }

    @ParameterizedTest
    @CsvSource({"INT, 130, 1", "INT, 130, 2", "INT, 130, 7", "INT, 130, 13", "TERM, 143, 4"})
    void anInterruptedIngestSaysWhatStaysAndGoesOnWhenRunAgain(
            String signal, int code, long version) throws Exception {
        String[] ingest = corpus.ingest("t.x", "p0", "--seal", "--rate", "10");
        try (CliProcess process =
                CliProcess.start(folder, Cli.at(cli.warehouse().toString(), ingest))) {
            process.await("version " + version, () -> exists(version));
            process.signal(signal);

            assertThat(process.end().refused(code))
                    .isEqualTo(
                            "batchweave: Interrupted: what was published stays; run the same again"
                                    + " to go on from there");
        }
        cli.verifyIsClean("t.x");

        cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
        cli.create("t.calm", "dp=2");
        cli.run(corpus.ingest("t.calm", "p0", "--seal")).succeeded();
        assertThat(cli.digests("t.x")).isEqualTo(cli.digests("t.calm"));
        cli.verifyIsClean("t.x");
    }

    private boolean exists(long version) {
        return Files.exists(cli.warehouse().resolve(LAYOUT.commit(version)));
    }

    @Test
    void anInterruptedReadSaysWhereToGoOn() throws Exception {
        cli.run(corpus.ingest("t.x", "p0")).succeeded();
        long steps = cli.steps("t.x");
        String[] read = Cli.at(cli.warehouse().toString(), "read", "t.x", "--json");
        try (CliProcess process = CliProcess.start(folder, read)) {
            process.await("last line", () -> process.out().lines().count() == steps);
            process.signal("INT");

            assertThat(process.end().refused(130))
                    .isEqualTo(
                            "batchweave: Interrupted: the last step printed is %d;"
                                    + " go on with --from %d",
                            steps - 1, steps);
        }
        cli.verifyIsClean("t.x");
    }
}
