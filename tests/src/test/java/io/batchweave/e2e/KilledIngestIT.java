package io.batchweave.e2e;

import static io.batchweave.e2e.HaltingStore.Moment.AFTER_COMMIT;
import static io.batchweave.e2e.HaltingStore.Moment.AFTER_UPLOAD;
import static io.batchweave.e2e.HaltingStore.Moment.BEFORE_COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An ingest that dies and is run again publishes what one publishes that nobody disturbs. */
class KilledIngestIT {
    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void createDatasets() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.killed", "dp=4");
        cli.create("t.calm", "dp=4");
    }

    /** The first commit of an ingest opens its producer; the others hold batches. */
    @ParameterizedTest
    @MethodSource("firstTenCommits")
    @Tag("LOG-5")
    @Tag("PRODUCE-2")
    void killedAfterACommitAndThenBetweenPayloadAndCommitLosesAndRepeatsNothing(int nth) {
        Corpus corpus = generated();
        killedAt(AFTER_COMMIT, nth, corpus);
        assertThat(cli.status("t.killed").get("version").asInt()).isEqualTo(nth);
        long steps = cli.steps("t.killed");

        killedAt(BEFORE_COMMIT, 2, corpus);
        assertThat(cli.steps("t.killed")).isEqualTo(steps);
        assertThat(cli.verifyIsClean("t.killed").get("orphans").asLong()).isPositive();

        assertTheRestIsAsIfUndisturbed(corpus);
    }

    @ParameterizedTest
    @MethodSource("uploads")
    @Tag("PRODUCE-1")
    void killedAfterAnUploadLosesAndRepeatsNothing(int nth) {
        Corpus corpus = generated();
        killedAt(AFTER_UPLOAD, nth, corpus);

        assertTheRestIsAsIfUndisturbed(corpus);
    }

    @Test
    void realTextKilledTenTimesInOneDatasetLosesAndRepeatsNothing() {
        Corpus corpus = Corpus.real();
        for (int kill = 0; kill < 10; kill++) {
            killedAt(kill % 2 == 0 ? AFTER_COMMIT : BEFORE_COMMIT, 3, corpus);
        }

        assertTheRestIsAsIfUndisturbed(corpus);
    }

    static IntStream firstTenCommits() {
        return Kills.times(1).flatMap(time -> IntStream.rangeClosed(1, 10));
    }

    static IntStream uploads() {
        return Kills.times(1).flatMap(time -> IntStream.of(1, 2, 7));
    }

    private Corpus generated() {
        return Corpus.generated(folder.resolve("corpus.jsonl"), 1_000);
    }

    private void killedAt(Moment moment, int nth, Corpus corpus) {
        String warehouse = HaltingStore.uri(cli.warehouse(), moment, nth);
        String[] ingest = Cli.at(warehouse, corpus.ingest("t.killed", "p0", "--seal"));
        try (CliProcess process = CliProcess.start(folder, ingest)) {
            assertThat(process.end()).isEqualTo(new Ran(HaltingStore.EXIT_CODE, "", ""));
        }
    }

    private void assertTheRestIsAsIfUndisturbed(Corpus corpus) {
        cli.run(corpus.ingest("t.killed", "p0", "--seal")).succeeded();
        cli.run(corpus.ingest("t.calm", "p0", "--seal")).succeeded();

        assertThat(cli.digests("t.killed")).isEqualTo(cli.digests("t.calm"));
        assertThat(cli.status("t.killed").at("/counts/tokens").asLong()).isEqualTo(corpus.tokens());
        cli.verifyIsClean("t.killed");
    }
}
