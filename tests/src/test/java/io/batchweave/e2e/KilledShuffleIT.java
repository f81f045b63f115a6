package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A shuffled ingest that dies and is run again publishes what one publishes undisturbed. */
class KilledShuffleIT {
    private static final String[] ORDER = {
        "--shuffle", "7", "--shuffle-window", "300", "--epochs", "2", "--seal"
    };

    @TempDir private Path folder;
    private Cli cli;
    private Corpus corpus;

    @BeforeEach
    void createDatasets() {
        cli = new Cli(folder.resolve("warehouse"));
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 1_000);
        for (String name : new String[] {"killed", "calm"}) {
            cli.create("text." + name, "dp=4");
            cli.run(
                            "create",
                            "rows." + name,
                            "--grid",
                            "dp=4",
                            "--schema",
                            "question:string!,answer:string!")
                    .succeeded();
        }
    }

    /** The first commit opens the producer; windows begin and end all over the others. */
    @ParameterizedTest
    @CsvSource({
        "1, AFTER_COMMIT",
        "2, AFTER_COMMIT",
        "3, AFTER_COMMIT",
        "5, BEFORE_COMMIT",
        "7, AFTER_COMMIT",
        "9, BEFORE_COMMIT"
    })
    @Tag("LOG-5")
    @Tag("PRODUCE-2")
    void rowsKilledAtACommitComeOutTheSame(int nth, Moment moment) {
        killed(moment, nth, rows("rows.killed"));
        killed(Moment.AFTER_COMMIT, 2, rows("rows.killed"));

        cli.run(rows("rows.killed")).succeeded();
        cli.run(rows("rows.calm")).succeeded();
        assertThat(cli.status("rows.killed").at("/counts/rows").asLong()).isEqualTo(2_000);
        assertSame("rows");
    }

    @ParameterizedTest
    @CsvSource({"2, AFTER_COMMIT", "7, BEFORE_COMMIT", "20, AFTER_COMMIT"})
    void tokensKilledAtACommitComeOutTheSame(int nth, Moment moment) {
        killed(moment, nth, tokens("text.killed"));
        killed(Moment.BEFORE_COMMIT, 2, tokens("text.killed"));

        cli.run(tokens("text.killed")).succeeded();
        cli.run(tokens("text.calm")).succeeded();
        assertThat(cli.status("text.killed").at("/counts/documents").asLong()).isEqualTo(2_000);
        assertThat(cli.status("text.killed").at("/counts/tokens").asLong())
                .isEqualTo(2 * corpus.tokens());
        assertSame("text");
    }

    @Test
    void oneSeedInTwoPlacesGivesEqualDigests() {
        Corpus copy = corpus.copied(folder.resolve("else/corpus.jsonl"));

        cli.run(rows("rows.killed")).succeeded();
        corpus = copy;
        cli.run(rows("rows.calm")).succeeded();

        assertSame("rows");
    }

    private String[] rows(String dataset) {
        String[] ingest = {
            "ingest", dataset, corpus.file().toString(), "--producer", "p", "--rows-per-slice", "5"
        };
        return Cli.joined(ingest, ORDER);
    }

    private String[] tokens(String dataset) {
        return corpus.ingest(dataset, "p", ORDER);
    }

    private void killed(Moment moment, int nth, String... ingest) {
        String warehouse = HaltingStore.uri(cli.warehouse(), moment, nth);
        try (CliProcess process = CliProcess.start(folder, Cli.at(warehouse, ingest))) {
            assertThat(process.end()).isEqualTo(new Ran(HaltingStore.EXIT_CODE, "", ""));
        }
    }

    private void assertSame(String namespace) {
        assertThat(cli.digests(namespace + ".killed"))
                .isEqualTo(cli.digests(namespace + ".calm"))
                .isNotEmpty();
        cli.verifyIsClean(namespace + ".killed");
    }
}
