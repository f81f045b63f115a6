package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sweep is stopped. Others publish, train, sweep and trim past all that it knows, and a job
 * attaches; then it goes on, and deletes nothing that is needed.
 */
@Tag("SWEEP-1")
@Tag("SWEEP-2")
@Tag("SWEEP-4")
class FrozenSweepIT {
    @TempDir private Path folder;

    /** It deletes payload at first, then what was left behind, States, and one pack's commits. */
    @ParameterizedTest
    @CsvSource({
        "BEFORE_COMMIT, 1",
        "AFTER_COMMIT, 1",
        "BEFORE_DELETION, 1",
        "BEFORE_DELETION, 3",
        "BEFORE_BOUNDARY, 1",
        "AFTER_BOUNDARY, 1",
        "BEFORE_DELETION, 15"
    })
    void itGoesOnAndDeletesNothingThatIsNeeded(Moment moment, int nth) throws Exception {
        Cli cli = Aged.in(folder.resolve("warehouse"));
        String uri = HaltingStore.freezingUri(cli.warehouse(), moment, nth);

        try (Meanwhile others = new Meanwhile(cli.warehouse());
                CliProcess frozen = CliProcess.start(folder, Cli.at(uri, "sweep", Aged.NAME))) {
            frozen.await("stop", frozen::isStopped);
            long before = others.log().state().version();
            others.publish();
            others.trainToTheEnd();
            others.sweep();
            assertThat(others.trimmedTo()).isGreaterThan(before);
            String low = Long.toString(others.log().state().lowStep());
            cli.run("attach", Aged.NAME, "k", "--at", low).succeeded();
            frozen.signal("CONT");

            frozen.end().succeeded();
            cli.verifyIsClean(Aged.NAME);
            cli.run("sweep", Aged.NAME).succeeded();
            assertThat(others.payload()).isEqualTo(others.neededPayload());
        }
        cli.verifyIsClean(Aged.NAME);
    }
}
