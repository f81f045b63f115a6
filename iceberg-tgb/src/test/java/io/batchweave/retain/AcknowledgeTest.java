package io.batchweave.retain;

import static io.batchweave.retain.JobStage.OTHER;
import static io.batchweave.retain.JobStage.assertRefused;
import static io.batchweave.retain.JobStage.saved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.retain.Acknowledged.Complete;
import io.batchweave.retain.Acknowledged.Waiting;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.Scene;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks that save apart say so each; the last one makes the checkpoint. */
@Tag("JOB-3")
class AcknowledgeTest {
    private final JobStage stage = new JobStage();
    private final Scene scene = stage.scene();

    @AfterEach
    void everythingIsFreed() {
        stage.close();
    }

    private Job job;

    @BeforeEach
    void startSession() {
        job = stage.attached();
        job.start("s");
        job.checkpoint(saved(job, "s", 2));
    }

    private Acknowledged acknowledge(int rank, int worldSize) {
        Job ofRank = stage.another();
        return ofRank.acknowledge(saved(ofRank, "s", 6), new Shard(rank, worldSize));
    }

    @Test
    void lastRankToAcknowledgeMakesTheCheckpoint() {
        for (int rank : List.of(2, 0, 3)) {
            State before = scene.truth();
            assertThat(acknowledge(rank, 4)).isInstanceOf(Waiting.class);
            assertThat(scene.truth()).as("pins nothing, releases nothing").isEqualTo(before);
        }
        assertThat(acknowledge(1, 4)).isEqualTo(new Complete(stage.truth().position()));
        assertThat(stage.truth().position().nextStep()).isEqualTo(6);
    }

    @Test
    void rankIsToldHowManyAreMissing() {
        assertThat(acknowledge(0, 3)).isEqualTo(new Waiting(2));
        assertThat(acknowledge(0, 3)).as("the same again").isEqualTo(new Waiting(2));
        assertThat(acknowledge(2, 3)).isEqualTo(new Waiting(1));
    }

    @Test
    void checkpointThatIsMadeIsFoundByWhoAcknowledgesAgain() {
        acknowledge(0, 2);
        Acknowledged complete = acknowledge(1, 2);

        assertThat(acknowledge(0, 2)).isEqualTo(complete);
        assertThat(stage.truth().checkpoints()).hasSize(2);
    }

    /** The last rank is killed between its acknowledgement and the commit. */
    @Test
    void acknowledgementsOfARestartedJobCountForNothing() {
        acknowledge(0, 2);
        scene.next(Kind.CREATE, Fault.NONE, Fault.UNAVAILABLE);
        assertRefused(UnavailableException.class, () -> acknowledge(1, 2), "planned: UNAVAILABLE");
        assertThat(stage.pin()).isEqualTo(2);

        stage.another().start("t");
        Job ofRank = stage.another();
        Saved again = saved(ofRank, "t", 6);
        assertThat(ofRank.acknowledge(again, new Shard(0, 2))).isEqualTo(new Waiting(1));
        assertThat(stage.pin()).isEqualTo(2);
    }

    @Test
    void ranksOfTwoWorldSizesAreTold() {
        acknowledge(0, 4);

        assertRefused(
                InvalidRequestException.class,
                () -> acknowledge(1, 2),
                "ranks disagree: this one says step 6 of 2 ranks with the receipt "
                        + job.given(6)
                        + ", another says step 6 of 4 ranks with the receipt "
                        + job.given(6));
    }

    @Test
    void rankOfAnotherWorldSizeIsToldThoughTheCheckpointIsMade() {
        acknowledge(0, 2);
        acknowledge(1, 2);

        assertRefused(
                InvalidRequestException.class,
                () -> acknowledge(0, 1),
                "ranks disagree: this one says step 6 of 1 rank with");
        assertThat(acknowledge(0, 2)).isInstanceOf(Complete.class);
    }

    /** The last rank would be refused; the others were not to go on as if it could be made. */
    @Test
    void whatLiesBehindTheLastCheckpointIsNotAcknowledged() {
        assertRefused(
                InvalidRequestException.class,
                () -> job.acknowledge(saved(job, "s", 1), new Shard(0, 2)),
                "checkpoint at1 of job j at step 1 lies behind checkpoint at2 at step 2; say");
        assertThat(scene.memory().list("train/numbers/acks", "").folders()).isEmpty();
    }

    @Test
    void ranksAtTwoStepsAreTold() {
        acknowledge(0, 2);
        Saved other = new Saved("s", "at6", 7, job.given(7), Direction.FORWARD);

        assertRefused(
                InvalidRequestException.class,
                () -> job.acknowledge(other, new Shard(1, 2)),
                "this one says step 7 of 2 ranks");
        assertThat(stage.truth().position().nextStep()).isEqualTo(2);
    }

    @Test
    @Tag("JOB-2")
    void rankThatWasGivenSomethingElseIsTold() {
        Saved other = new Saved("s", "at6", 6, OTHER, Direction.FORWARD);

        assertRefused(
                InvalidRequestException.class,
                () -> job.acknowledge(other, new Shard(1, 2)),
                "its receipt is " + OTHER + ", and what the session gives up to step 6 has");
        assertThat(acknowledge(0, 2)).isEqualTo(new Waiting(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void doubtfulAcknowledgementIsSaidAgain(Fault fault) {
        acknowledge(0, 2);
        scene.next(Kind.CREATE, fault);

        assertThat(acknowledge(1, 2)).isInstanceOf(Complete.class);
        scene.applyLate();
        assertThat(stage.truth().position().nextStep()).isEqualTo(6);
    }

    @Test
    void acknowledgementTakesACreateAndTwoListings() {
        Job ofRank = stage.another();
        Saved saved = saved(ofRank, "s", 6);
        Requests before = scene.requests();

        ofRank.acknowledge(saved, new Shard(0, 4_096));

        Requests cost = scene.requests().minus(before);
        assertThat(cost.creates()).isEqualTo(1);
        assertThat(cost.lists()).isEqualTo(2);
    }

    @Test
    @Tag("LAYOUT-1")
    void acknowledgementLiesWhereTheFormatSays() {
        job.acknowledge(saved(job, "s", 6), new Shard(4_097, 5_000));

        String folder =
                "train/numbers/acks/j/%020d/at6/%020d-5000-%s/%020d"
                        .formatted(
                                stage.truth().session().orElseThrow().version(),
                                6,
                                job.given(6),
                                1);
        assertThat(scene.memory().list(folder, "").objects())
                .singleElement()
                .satisfies(
                        object -> {
                            assertThat(object.key()).isEqualTo(folder + "/%020d".formatted(4_097));
                            assertThat(object.length()).isZero();
                        });
    }

    @Test
    void ranksAreNamedByNumberAndCount() {
        assertThat(Shard.parse("3/8")).isEqualTo(new Shard(3, 8)).hasToString("3/8");
        for (String bad : List.of("", "3", "3/", "/8", "-1/8", "a/b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Shard.parse(bad))
                    .withMessage("Invalid rank '%s': write RANK/SIZE, such as 3/8", bad);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shard.parse("8/8"))
                .withMessageContaining("ranks count from 0");
    }
}
