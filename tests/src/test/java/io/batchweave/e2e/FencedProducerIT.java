package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two processes that think they are the same producer. */
class FencedProducerIT {
    @TempDir private Path folder;

    @Test
    @Tag("LOG-6")
    void theYoungerOneTakesOverAndTheOlderOneStops() {
        Cli cli = new Cli(folder.resolve("warehouse"));
        String warehouse = cli.warehouse().toString();
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 500);
        cli.create("t.calm", "dp=2");
        cli.run(corpus.ingest("t.calm", "p0", "--seal")).succeeded();
        cli.create("t.x", "dp=2");

        String[] slow = Cli.at(warehouse, corpus.ingest("t.x", "p0", "--seal", "--rate", "2"));
        String[] fast = Cli.at(warehouse, corpus.ingest("t.x", "p0", "--seal"));
        try (CliProcess older = CliProcess.start(folder, slow)) {
            older.await("step 2", () -> cli.steps("t.x") > 2);
            try (CliProcess younger = CliProcess.start(folder, fast)) {
                assertThat(younger.end().succeeded().out()).contains("the dataset is sealed");
            }

            assertThat(older.end().refused(4))
                    .contains("producer p0 epoch 1 was replaced by epoch");
        }
        assertThat(cli.digests("t.x")).isEqualTo(cli.digests("t.calm"));
        cli.verifyIsClean("t.x");
    }

    /** It was stopped in the middle of its work, and believes that no time has passed. */
    @ParameterizedTest
    @MethodSource("moments")
    @Tag("LOG-6")
    void theOneThatWasFrozenIsFencedWhenItGoesOn(Moment moment, int nth) throws Exception {
        Cli cli = new Cli(folder.resolve("warehouse"));
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 300);
        cli.create("t.calm", "dp=2");
        cli.run(corpus.ingest("t.calm", "p0", "--seal")).succeeded();
        cli.create("t.x", "dp=2");
        String freezing = HaltingStore.freezingUri(cli.warehouse(), moment, nth);

        // A pace at which batches do not all leave in the first commits.
        String[] paced = Cli.at(freezing, corpus.ingest("t.x", "p0", "--seal", "--rate", "50"));
        try (CliProcess older = CliProcess.start(folder, paced)) {
            older.await("stop", older::isStopped);
            cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
            older.signal("CONT");

            assertThat(older.end().refused(4))
                    .contains("producer p0 epoch 1 was replaced by epoch");
        }
        assertThat(cli.digests("t.x")).isEqualTo(cli.digests("t.calm"));
        cli.verifyIsClean("t.x");
    }

    static Stream<Arguments> moments() {
        return Kills.times(1)
                .boxed()
                .flatMap(
                        time ->
                                Stream.of(
                                                Moment.BEFORE_COMMIT,
                                                Moment.AFTER_COMMIT,
                                                Moment.AFTER_UPLOAD)
                                        .map(moment -> Arguments.of(moment, 2 + time % 3)));
    }
}
