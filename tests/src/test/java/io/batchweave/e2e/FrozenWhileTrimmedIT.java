package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import io.batchweave.model.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A producer is stopped in the middle of its work. The log is trimmed past all that it knows, and
 * payload swept; then it goes on, and believes that no time has passed.
 */
@Tag("TRIM-2")
@Tag("TRIM-6")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrozenWhileTrimmedIT {
    private static final int BATCHES = 20;
    private static final String LATE = "the commit was not confirmed within 60 s";

    private Path rows;
    private Map<Long, List<Part>> undisturbed;

    @TempDir private Path folder;
    private Cli cli;
    private Meanwhile others;

    @BeforeAll
    void ingestUndisturbed(@TempDir Path calm) throws IOException {
        rows = Files.writeString(calm.resolve("rows.jsonl"), Aged.rows(BATCHES));
        Cli undisturbedCli = Aged.in(calm.resolve("warehouse"));
        undisturbedCli.run(ingest()).succeeded();
        try (Meanwhile reader = new Meanwhile(undisturbedCli.warehouse())) {
            undisturbed = reader.published("s");
        }
    }

    @BeforeEach
    void age() {
        cli = Aged.in(folder.resolve("warehouse"));
        others = new Meanwhile(cli.warehouse());
    }

    @AfterEach
    void close() {
        others.close();
    }

    @ParameterizedTest
    @MethodSource("moments")
    void itGoesOnWithoutAGapOrARepetition(Moment moment, int nth) throws Exception {
        try (CliProcess frozen = frozen(moment, nth)) {
            passItBy();
            frozen.signal("CONT");

            goesOn(frozen);
        }
        assertEachBatchIsThereOnce();
        // What it created at a trimmed version, before it looked.
        assertThat(others.reborn()).hasSize(moment == Moment.AFTER_COMMIT ? 0 : 1);
        others.sweep();
        assertThat(others.reborn()).isEmpty();
        assertEachBatchIsThereOnce();
    }

    @ParameterizedTest
    @MethodSource("moments")
    @Tag("LOG-6")
    void itStopsIfAnotherOneTookOverAndCannotTellWhetherItsLastCommitIsIn(Moment moment, int nth)
            throws Exception {
        try (CliProcess frozen = frozen(moment, nth)) {
            cli.run(ingest()).succeeded();
            passItBy();
            frozen.signal("CONT");

            assertThat(frozen.end().refused(6))
                    .containsPattern("producer s epoch \\d+ was replaced by epoch|" + LATE);
        }
        cli.run(ingest()).succeeded();
        assertEachBatchIsThereOnce();
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
                                        .map(moment -> Arguments.of(moment, 2 + time % 5)));
    }

    private String[] ingest(String... more) {
        String[] ingest = {"ingest", Aged.NAME, rows.toString(), "--producer", "s"};
        return Cli.joined(Cli.joined(ingest, "--rows-per-slice", "1"), more);
    }

    /** At a pace at which batches do not all leave in the first commits. */
    private CliProcess frozen(Moment moment, int nth) {
        String uri = HaltingStore.freezingUri(cli.warehouse(), moment, nth);
        CliProcess frozen = CliProcess.start(folder, Cli.at(uri, ingest("--rate", "50")));
        frozen.await("stop", frozen::isStopped);
        return frozen;
    }

    /** If it was frozen for longer than a commit may take, it leaves the rest to the next one. */
    private void goesOn(CliProcess frozen) {
        Ran ran = frozen.end();
        if (ran.code() != 0) {
            assertThat(ran.refused(6)).contains(LATE);
            cli.run(ingest()).succeeded();
        }
    }

    private void passItBy() {
        long before = others.log().state().version();
        others.publish();
        others.trainToTheEnd();
        others.sweep();
        assertThat(others.trimmedTo()).isGreaterThan(before);
    }

    private void assertEachBatchIsThereOnce() {
        assertThat(others.published("s")).hasSize(BATCHES).isEqualTo(undisturbed);
        cli.verifyIsClean(Aged.NAME);
    }
}
