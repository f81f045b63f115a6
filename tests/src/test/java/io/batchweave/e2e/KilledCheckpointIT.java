package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.e2e.HaltingStore.Moment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A rank is killed while it says that it has saved. After a restart the old or the new checkpoint
 * is there, whole, and what the old one needs was never let go before the new one was there.
 */
@Tag("JOB-3")
class KilledCheckpointIT {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void train() throws IOException {
        t = Trained.of(folder, 12);
        t.ran("attach", "j", "--keep", "1");
        t.ran("session", "j", "--id", "s");
        t.ran("checkpoint", "j", "--step", "4", "--id", "old");
    }

    @ParameterizedTest
    @MethodSource("moments")
    void checkpointOfAllRanksIsMadeOrNot(Moment moment) {
        killed(moment, "checkpoint", "t.x", "j", "--step", "8", "--id", "new");

        assertOldOrNew(moment == Moment.AFTER_COMMIT);
    }

    @ParameterizedTest
    @MethodSource("momentsOfTheLastRank")
    void checkpointOfTheLastRankIsMadeOrNot(Moment moment) {
        for (int rank = 0; rank < 3; rank++) {
            t.ran("checkpoint", "j", "--step", "8", "--id", "new", "--rank", rank + "/4");
        }
        killed(moment, "checkpoint", "t.x", "j", "--step", "8", "--id", "new", "--rank", "3/4");

        assertOldOrNew(moment == Moment.AFTER_COMMIT);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void sessionStartsOnceWhenItsFirstRankIsKilled(Moment moment) {
        killed(moment, "session", "t.x", "j", "--id", "t");

        JsonNode found = t.json("session", "j", "--id", "t");

        assertThat(found.get("start_step").asLong()).isEqualTo(4);
        assertThat(t.cli().status("t.x").get("version").asLong()).isEqualTo(before + 1);
    }

    static Stream<Moment> moments() {
        return often(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT);
    }

    static Stream<Moment> momentsOfTheLastRank() {
        return often(
                Moment.BEFORE_ACKNOWLEDGEMENT,
                Moment.AFTER_ACKNOWLEDGEMENT,
                Moment.BEFORE_COMMIT,
                Moment.AFTER_COMMIT);
    }

    private static Stream<Moment> often(Moment... moments) {
        return Kills.times(1).boxed().flatMap(time -> Stream.of(moments));
    }

    private long before;

    private void killed(Moment moment, String... command) {
        before = t.cli().status("t.x").get("version").asLong();
        String uri = HaltingStore.uri(t.cli().warehouse(), moment, 1);
        try (CliProcess process = CliProcess.start(folder, Cli.at(uri, command))) {
            assertThat(process.end()).isEqualTo(new Ran(HaltingStore.EXIT_CODE, "", ""));
        }
    }

    private void assertOldOrNew(boolean isNew) {
        JsonNode job = t.job("j");
        long next = isNew ? 8 : 4;
        assertThat(job.get("pinned_from").asLong()).isEqualTo(next);
        assertThat(job.get("checkpoints")).hasSize(1);
        assertThat(job.at("/checkpoints/0/checkpoint").asText()).isEqualTo(isNew ? "new" : "old");
        t.cli().run("prove", "t.x", "--checkpoint", isNew ? "new" : "old").succeeded();

        JsonNode restarted = t.json("session", "j", "--id", "again");
        assertThat(restarted.get("start_step").asLong()).isEqualTo(next);
        assertThat(Trained.steps(t.read("j", "again", "--steps", "2")))
                .containsExactly(next, next + 1);
        // What ranks of the session before it said does not count in this one.
        t.ran("checkpoint", "j", "--step", "9", "--id", "last", "--rank", "3/4");
        assertThat(t.job("j").get("pinned_from").asLong()).isEqualTo(next);
    }
}
