package io.batchweave.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.StepRange;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Acknowledged.Complete;
import io.batchweave.retain.Acknowledged.Waiting;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Retention;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.Scene;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a training job says, how often it may say it, and what it is told. */
class JobsTest {
    private static final Bytes OTHER = Bytes.fromHex("0e".repeat(32));

    private final Scene scene = new Scene("dp=2");

    @BeforeEach
    void publish() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < 10; i++) {
            scene.publish(producer, i);
        }
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    private Job attached() {
        return new Jobs(scene.log()).attach("j", 0, 3);
    }

    /** The same job, as another process has it. */
    private Job another() {
        return new Jobs(scene.log()).open("j");
    }

    private JobState truth() {
        return scene.truth().job("j").orElseThrow();
    }

    private long pin() {
        return Retention.lowestPin(scene.truth()).orElseThrow().step();
    }

    private Saved saved(Job job, String session, long nextStep) {
        return new Saved(
                session, "at" + nextStep, nextStep, job.given(nextStep), Direction.FORWARD);
    }

    private void skip(long first, long last) {
        scene.log(scene.memory()).append(List.of(new Skip(new StepRange(first, last), "spike")));
    }

    private static <E extends BatchWeaveException> void assertRefused(
            Class<E> kind, Runnable action, String why) {
        assertThatExceptionOfType(kind)
                .isThrownBy(action::run)
                .withMessageStartingWith("Cannot ")
                .withMessageContaining(why);
    }

    @Nested
    class AttachingTest {
        @Test
        void ranksThatAttachAlikeFindTheSameJob() {
            Job first = attached();
            Requests before = scene.requests();

            Job second = attached();

            assertThat(second.state()).isEqualTo(first.state());
            assertThat(scene.requests().minus(before).creates()).isZero();
        }

        /** Both looked before either had attached. */
        @Test
        void raceOfTwoThatAttachAlikeIsNoFailure() {
            Log late = scene.log();
            scene.watch(
                    call -> {
                        if (call.kind() == Kind.CREATE) {
                            scene.watch(other -> {});
                            new Jobs(scene.log(scene.memory())).attach("j", 0, 3);
                        }
                    });

            Job job = new Jobs(late).attach("j", 0, 3);

            assertThat(job.state()).isEqualTo(truth());
        }

        @Test
        void whoAttachesOtherwiseIsTold() {
            attached();

            assertRefused(
                    InvalidRequestException.class,
                    () -> new Jobs(scene.log()).attach("j", 0, 4),
                    "job j is attached since 2026-11-29T12:00:00Z, from step 0 on; detach it");
            assertRefused(
                    InvalidRequestException.class,
                    () -> new Jobs(scene.log()).attach("k", 11, 1),
                    "step 11 lies beyond what is published, which is 10 steps");
        }

        @Test
        void jobThatIsNotThereIsNotOpened() {
            assertRefused(
                    InvalidRequestException.class,
                    JobsTest.this::another,
                    "Cannot go on with job j of train.numbers in memory:///: it never attached");
        }

        @Test
        void detachedJobThatComesBackIsFenced() {
            Job old = attached();
            old.start("s");
            Saved saved = saved(old, "s", 2);
            another().detach();

            assertRefused(FencedException.class, () -> old.checkpoint(saved), "was detached");
            assertRefused(FencedException.class, () -> old.start("t"), "was detached");
            assertRefused(FencedException.class, JobsTest.this::another, "was detached; attach");
            old.detach();
        }

        @Test
        void jobThatAttachedAnewFencesWhatWasBefore() {
            Job old = attached();
            old.start("s");
            Saved saved = saved(old, "s", 2);
            another().detach();
            new Jobs(scene.log()).attach("j", 5, 1);

            assertRefused(FencedException.class, () -> old.checkpoint(saved), "detached");
            assertThat(pin()).isEqualTo(5);
        }
    }

    @Nested
    class StartingTest {
        @Test
        void sessionStartsOnceAndIsFound() {
            Session first = attached().start("s");
            skip(3, 3);

            assertThat(another().start("s")).isEqualTo(first);
            assertThat(another().session("s")).isEqualTo(first);
        }

        @ParameterizedTest
        @EnumSource(names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
        @Tag("LOG-3")
        void doubtfulAnswersStartOneSession(Fault fault) {
            Job job = attached();
            scene.next(Kind.CREATE, fault);

            Session session = job.start("s");
            scene.applyLate();

            assertThat(truth().session()).contains(session);
            assertThat(truth().formerSessions()).isEmpty();
        }

        @Test
        void sessionThatWasReplacedIsFenced() {
            Job job = attached();
            job.start("s");
            another().start("t");

            assertRefused(FencedException.class, () -> job.start("s"), "it is in session t");
            assertRefused(
                    FencedException.class,
                    () -> job.session("s"),
                    "Cannot go on in session s of job j of train.numbers: it was replaced; the"
                            + " latest is t");
        }

        @Test
        void sessionThatHasNotStartedIsNotFound() {
            Job job = attached();
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.session("s"),
                    "it has not started; there is none; start it first");
        }

        @Test
        void sameSessionAtAnotherStartIsRefused() {
            Job job = attached();
            job.start("s");
            job.checkpoint(saved(job, "s", 3));
            job.checkpoint(saved(job, "s", 5));
            job.start("t", "at3");

            assertRefused(
                    InvalidRequestException.class,
                    () -> another().start("t", "at5"),
                    "session t of job j started at checkpoint at3 at step 3, and not at");
        }
    }

    @Nested
    class CheckpointingTest {
        @Test
        void sameCheckpointTwiceIsOne() {
            Job job = attached();
            job.start("s");

            Position made = job.checkpoint(saved(job, "s", 4));

            assertThat(another().checkpoint(saved(job, "s", 4))).isEqualTo(made);
            assertThat(truth().checkpoints()).containsExactly(made);
        }

        @ParameterizedTest
        @EnumSource(names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
        void doubtfulAnswersMakeOneCheckpoint(Fault fault) {
            Job job = attached();
            job.start("s");
            Saved saved = saved(job, "s", 4);
            scene.next(Kind.CREATE, fault);

            Position made = job.checkpoint(saved);
            scene.applyLate();

            assertThat(truth().checkpoints()).containsExactly(made);
        }

        @Test
        @Tag("JOB-2")
        void receiptOfSomethingElseIsRefusedWithBoth() {
            Job job = attached();
            skip(1, 1);
            job.start("s");
            Saved unlike = new Saved("s", "c", 4, OTHER, Direction.FORWARD);

            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(unlike),
                    "Cannot make checkpoint c of job j of train.numbers: its receipt is "
                            + OTHER
                            + ", and what the session gives up to step 4 has "
                            + job.given(4));
            assertThat(truth().checkpoints()).isEmpty();

            Bytes ofAll = scene.truth().receiptBefore(4);
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(new Saved("s", "c", 4, ofAll, Direction.FORWARD)),
                    "was given something else");
        }

        @Test
        void checkpointBeyondTheHeadIsRefused() {
            Job job = attached();
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(new Saved("", "c", 11, OTHER, Direction.FORWARD)),
                    "step 11 lies beyond what is published, which is 10 steps");
        }

        @Test
        void checkpointOfAReplacedSessionIsFenced() {
            Job job = attached();
            job.start("s");
            Saved saved = saved(job, "s", 4);
            another().start("t");

            assertRefused(
                    FencedException.class,
                    () -> job.checkpoint(saved),
                    "session s of job j is not its latest: it is in session t");
        }

        @Test
        void rollbackIsSaid() {
            Job job = attached();
            job.checkpoint(saved(job, "", 3));
            job.checkpoint(saved(job, "", 6));

            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(saved(job, "", 4)),
                    "lies behind checkpoint at6 at step 6; say that it is a rollback");
            job.checkpoint(new Saved("", "back", 4, job.given(4), Direction.ROLLBACK));
            assertThat(truth().position().nextStep()).isEqualTo(4);
        }

        @Test
        void releasedCheckpointPinsNothing() {
            Job job = attached();
            job.checkpoint(saved(job, "", 3));
            job.checkpoint(saved(job, "", 6));

            job.release("at3");
            job.release("at3");

            assertThat(pin()).isEqualTo(6);
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.release("at6"),
                    "job j would start at checkpoint at6");
        }
    }

    @Nested
    @Tag("JOB-3")
    class AcknowledgingTest {
        private Job job;

        @BeforeEach
        void startSession() {
            job = attached();
            job.start("s");
            job.checkpoint(saved(job, "s", 2));
        }

        private Acknowledged acknowledge(int rank, int worldSize) {
            Job ofRank = another();
            return ofRank.acknowledge(saved(ofRank, "s", 6), new Shard(rank, worldSize));
        }

        @Test
        void lastRankToAcknowledgeMakesTheCheckpoint() {
            for (int rank : List.of(2, 0, 3)) {
                State before = scene.truth();
                assertThat(acknowledge(rank, 4)).isInstanceOf(Waiting.class);
                assertThat(scene.truth()).as("pins nothing, releases nothing").isEqualTo(before);
            }
            assertThat(acknowledge(1, 4)).isEqualTo(new Complete(truth().position()));
            assertThat(truth().position().nextStep()).isEqualTo(6);
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
            assertThat(truth().checkpoints()).hasSize(2);
        }

        /** The last rank is killed between its acknowledgement and the commit. */
        @Test
        void acknowledgementsOfARestartedJobCountForNothing() {
            acknowledge(0, 2);
            scene.next(Kind.CREATE, Fault.NONE, Fault.UNAVAILABLE);
            assertRefused(
                    UnavailableException.class, () -> acknowledge(1, 2), "planned: UNAVAILABLE");
            assertThat(pin()).isEqualTo(2);

            another().start("t");
            Job ofRank = another();
            Saved again = saved(ofRank, "t", 6);
            assertThat(ofRank.acknowledge(again, new Shard(0, 2))).isEqualTo(new Waiting(1));
            assertThat(pin()).isEqualTo(2);
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
        void ranksAtTwoStepsAreTold() {
            acknowledge(0, 2);
            Saved other = new Saved("s", "at6", 7, job.given(7), Direction.FORWARD);

            assertRefused(
                    InvalidRequestException.class,
                    () -> job.acknowledge(other, new Shard(1, 2)),
                    "this one says step 7 of 2 ranks");
            assertThat(truth().position().nextStep()).isEqualTo(2);
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
            assertThat(truth().position().nextStep()).isEqualTo(6);
        }

        @Test
        void acknowledgementTakesACreateAndTwoListings() {
            Job ofRank = another();
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
                                    truth().session().orElseThrow().version(), 6, job.given(6), 1);
            assertThat(scene.memory().list(folder, "").objects())
                    .singleElement()
                    .satisfies(
                            object -> {
                                assertThat(object.key())
                                        .isEqualTo(folder + "/%020d".formatted(4_097));
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
}
