package io.batchweave.e2e;

import static io.batchweave.e2e.HaltingStore.Moment.AFTER_COMMIT;
import static io.batchweave.e2e.HaltingStore.Moment.AFTER_UPLOAD;
import static io.batchweave.e2e.HaltingStore.Moment.BEFORE_COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A producer in a pipe that dies, or whose program dies, publishes every batch once. */
@Timeout(300)
class KilledPublishIT {
    private static final long BATCHES = 30;

    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void createDatasets() throws Exception {
        cli = new Cli(folder.resolve("warehouse"));
        for (String dataset : new String[] {"t.killed", "t.calm"}) {
            cli.run("create", dataset, "--schema", PipedBatches.COLUMNS, "--grid", "dp=4")
                    .succeeded();
        }
    }

    static Stream<Arguments> moments() {
        return Kills.times(1)
                .boxed()
                .flatMap(
                        time ->
                                Stream.of(
                                        Arguments.of(AFTER_COMMIT, 1),
                                        Arguments.of(AFTER_COMMIT, 4),
                                        Arguments.of(BEFORE_COMMIT, 2),
                                        Arguments.of(BEFORE_COMMIT, 7),
                                        Arguments.of(AFTER_UPLOAD, 1),
                                        Arguments.of(AFTER_UPLOAD, 9)));
    }

    @ParameterizedTest
    @MethodSource("moments")
    @Tag("LOG-5")
    @Tag("PRODUCE-2")
    void killedAtAMomentItLosesAndRepeatsNothing(Moment moment, int nth) throws Exception {
        String dying = HaltingStore.uri(cli.warehouse(), moment, nth);
        try (PipedProducer producer = PipedProducer.start(dying, "t.killed")) {
            producer.nextBatch().ifPresent(from -> producer.publish(from, BATCHES));
            assertThat(producer.end()).isEqualTo(HaltingStore.EXIT_CODE);
        }

        assertTheRestIsAsIfUndisturbed();
    }

    /** The kill comes from another thread, whatever the producer does at that moment. */
    @Test
    void killedAgainAndAgainByAnotherProcessItLosesAndRepeatsNothing() throws Exception {
        String warehouse = cli.warehouse().toString();
        for (int kill = 1; kill <= 6; kill++) {
            try (PipedProducer producer = PipedProducer.start(warehouse, "t.killed")) {
                long from = producer.nextBatch().orElseThrow();
                assertThat(producer.publish(from, Math.min(BATCHES, from + kill))).isTrue();
                CompletableFuture<Void> killer = CompletableFuture.runAsync(producer::kill);
                producer.publish(from + kill, BATCHES);
                killer.join();
            }
        }

        assertTheRestIsAsIfUndisturbed();
    }

    /** The process outlives its program by what it needs to end in order. */
    @Test
    void whatWasWholeWhenTheProgramDiedIsPublished() throws Exception {
        try (PipedProducer producer = PipedProducer.start(cli.warehouse().toString(), "t.killed")) {
            assertThat(producer.publish(producer.nextBatch().orElseThrow(), 5)).isTrue();
            assertThat(producer.end()).isZero();
        }
        assertThat(cli.steps("t.killed")).isEqualTo(5);
    }

    @Test
    void aSecondProcessOfTheSameProducerEndsTheFirst() throws Exception {
        String warehouse = cli.warehouse().toString();
        try (PipedProducer first = PipedProducer.start(warehouse, "t.killed")) {
            assertThat(first.publish(first.nextBatch().orElseThrow(), 2)).isTrue();
            first.request("{\"do\":\"flush\"}");
            assertThat(first.reply()).isPresent();
            try (PipedProducer second = PipedProducer.start(warehouse, "t.killed")) {
                assertThat(second.nextBatch()).contains(2L);
                first.publish(2, 3);
                first.request("{\"do\":\"flush\"}");

                assertThat(first.reply().orElseThrow().at("/error/kind").asText())
                        .isEqualTo("fenced");
                assertThat(first.end()).isEqualTo(4);
                assertThat(second.publish(2, BATCHES)).isTrue();
                assertThat(second.end()).isZero();
            }
        }
        assertTheRestIsAsIfUndisturbed();
    }

    private void assertTheRestIsAsIfUndisturbed() throws Exception {
        for (String dataset : new String[] {"t.killed", "t.calm"}) {
            try (PipedProducer producer =
                    PipedProducer.start(cli.warehouse().toString(), dataset)) {
                assertThat(producer.publish(producer.nextBatch().orElseThrow(), BATCHES)).isTrue();
                producer.request("{\"do\":\"seal\"}");
                assertThat(producer.reply().orElseThrow().at("/ok/steps").asLong())
                        .isEqualTo(BATCHES);
                assertThat(producer.end()).isZero();
            }
        }
        assertThat(cli.digests("t.killed")).isEqualTo(cli.digests("t.calm"));
        assertThat(cli.status("t.killed").at("/counts/rows"))
                .isEqualTo(cli.status("t.calm").at("/counts/rows"));
        cli.verifyIsClean("t.killed");
    }
}
