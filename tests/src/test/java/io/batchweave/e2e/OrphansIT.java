package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a producer has uploaded and not committed is deleted when its next epoch has opened, and
 * never before: until then it may commit it.
 */
@Tag("SWEEP-2")
@Tag("SWEEP-5")
class OrphansIT {
    @TempDir private Path folder;
    private Cli cli;
    private Corpus corpus;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=4");
        cli.create("t.calm", "dp=4");
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 300);
    }

    @ParameterizedTest
    @EnumSource(
            value = Moment.class,
            names = {"AFTER_UPLOAD", "BEFORE_COMMIT"})
    void theyAreSweptWhenTheirProducerHasOpenedAgain(Moment moment) {
        killed(moment, 3);
        List<String> before = payload();
        long orphans = orphans();
        assertThat(orphans).isPositive();
        sweep();
        assertThat(payload()).isEqualTo(before);

        // It opens and has uploaded nothing yet.
        killed(Moment.AFTER_COMMIT, 1);
        sweep();

        assertThat(payload())
                .hasSize(before.size() - (int) orphans)
                .hasSize((int) cli.steps("t.x"));
        assertTheRestIsAsIfUndisturbed();
    }

    @Test
    void whatIsAboutToBeCommittedStays() throws Exception {
        String uri = HaltingStore.freezingUri(cli.warehouse(), Moment.BEFORE_COMMIT, 3);
        try (CliProcess frozen = CliProcess.start(folder, Cli.at(uri, ingest("t.x")))) {
            frozen.await("stop", frozen::isStopped);
            assertThat(orphans()).isPositive();
            sweep();
            frozen.signal("CONT");

            frozen.end().succeeded();
        }
        assertThat(orphans()).isZero();
        assertTheRestIsAsIfUndisturbed();
    }

    private String[] ingest(String dataset) {
        return corpus.ingest(dataset, "p0", "--rate", "50");
    }

    private void killed(Moment moment, int nth) {
        String uri = HaltingStore.uri(cli.warehouse(), moment, nth);
        try (CliProcess process = CliProcess.start(folder, Cli.at(uri, ingest("t.x")))) {
            assertThat(process.end()).isEqualTo(new Ran(HaltingStore.EXIT_CODE, "", ""));
        }
    }

    private void sweep() {
        cli.run("sweep", "t.x").succeeded();
    }

    private List<String> payload() {
        return new Objects(cli.warehouse())
                .keys("t/x").stream().filter(key -> key.startsWith("t/x/data/")).toList();
    }

    /** Payload that no step names. */
    private long orphans() {
        return cli.verifyIsClean("t.x").get("orphans").asLong();
    }

    private void assertTheRestIsAsIfUndisturbed() {
        cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
        cli.run(corpus.ingest("t.calm", "p0", "--seal")).succeeded();

        assertThat(cli.digests("t.x")).isEqualTo(cli.digests("t.calm")).isNotEmpty();
        assertThat(orphans()).isZero();
    }
}
