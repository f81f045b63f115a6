package io.batchweave.retain;

import static io.batchweave.retain.JobStage.OTHER;
import static io.batchweave.retain.JobStage.assertRefused;
import static io.batchweave.retain.JobStage.saved;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.Position;
import io.batchweave.state.Session;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.Scene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a training job says, how often it may say it, and what it is told. */
class JobsTest {
    private final JobStage stage = new JobStage();
    private final Scene scene = stage.scene();

    @AfterEach
    void everythingIsFreed() {
        stage.close();
    }

    @Nested
    class AttachingTest {
        @Test
        void ranksThatAttachAlikeFindTheSameJob() {
            Job first = stage.attached();
            Requests before = scene.requests();

            Job second = stage.attached();

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

            assertThat(job.state()).isEqualTo(stage.truth());
        }

        @Test
        void whoAttachesOtherwiseIsTold() {
            stage.attached();

            assertRefused(
                    InvalidRequestException.class,
                    () -> new Jobs(scene.log()).attach("j", 0, 4),
                    "job j is attached since 2026-11-29T12:00:00Z, from step 0 on, and keeps 3"
                            + " checkpoints; detach it");
            assertRefused(
                    InvalidRequestException.class,
                    () -> new Jobs(scene.log()).attach("k", 11, 1),
                    "step 11 lies beyond what is published, which is 10 steps");
        }

        @Test
        void jobThatIsNotThereIsNotOpened() {
            assertRefused(
                    InvalidRequestException.class,
                    stage::another,
                    "Cannot go on with job j of train.numbers in memory:///: it never attached");
        }

        @Test
        void detachedJobThatComesBackIsFenced() {
            Job old = stage.attached();
            old.start("s");
            Saved saved = saved(old, "s", 2);
            stage.another().detach();

            assertRefused(FencedException.class, () -> old.checkpoint(saved), "was detached");
            assertRefused(FencedException.class, () -> old.start("t"), "was detached");
            assertRefused(FencedException.class, stage::another, "was detached; attach");
            old.detach();
        }

        @Test
        void jobThatAttachedAnewFencesWhatWasBefore() {
            Job old = stage.attached();
            old.start("s");
            Saved saved = saved(old, "s", 2);
            stage.another().detach();
            new Jobs(scene.log()).attach("j", 5, 1);

            assertRefused(FencedException.class, () -> old.checkpoint(saved), "detached");
            assertThat(stage.pin()).isEqualTo(5);
        }
    }

    @Nested
    class StartingTest {
        @Test
        void sessionStartsOnceAndIsFound() {
            Session first = stage.attached().start("s");
            stage.skip(3, 3);

            assertThat(stage.another().start("s")).isEqualTo(first);
            assertThat(stage.another().session("s")).isEqualTo(first);
        }

        @ParameterizedTest
        @EnumSource(names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
        @Tag("LOG-3")
        void doubtfulAnswersStartOneSession(Fault fault) {
            Job job = stage.attached();
            scene.next(Kind.CREATE, fault);

            Session session = job.start("s");
            scene.applyLate();

            assertThat(stage.truth().session()).contains(session);
            assertThat(stage.truth().formerSessions()).isEmpty();
        }

        @Test
        void sessionThatWasReplacedIsFenced() {
            Job job = stage.attached();
            job.start("s");
            stage.another().start("t");

            assertRefused(FencedException.class, () -> job.start("s"), "it is in session t");
            assertRefused(
                    FencedException.class,
                    () -> job.session("s"),
                    "Cannot go on in session s of job j of train.numbers: it was replaced; the"
                            + " latest is t");
        }

        @Test
        void sessionThatHasNotStartedIsNotFound() {
            Job job = stage.attached();
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.session("s"),
                    "it has not started; the job has started none; start it first");
        }

        @Test
        void sameSessionAtAnotherStartIsRefused() {
            Job job = stage.attached();
            job.start("s");
            job.checkpoint(saved(job, "s", 3));
            job.checkpoint(saved(job, "s", 5));
            job.start("t", "at3");

            assertRefused(
                    InvalidRequestException.class,
                    () -> stage.another().start("t", "at5"),
                    "session t of job j started at checkpoint at3 at step 3, and not at");
        }
    }

    @Nested
    class CheckpointingTest {
        @Test
        void sameCheckpointTwiceIsOne() {
            Job job = stage.attached();
            job.start("s");

            Position made = job.checkpoint(saved(job, "s", 4));

            assertThat(stage.another().checkpoint(saved(job, "s", 4))).isEqualTo(made);
            assertThat(stage.truth().checkpoints()).containsExactly(made);
        }

        @ParameterizedTest
        @EnumSource(names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
        void doubtfulAnswersMakeOneCheckpoint(Fault fault) {
            Job job = stage.attached();
            job.start("s");
            Saved saved = saved(job, "s", 4);
            scene.next(Kind.CREATE, fault);

            Position made = job.checkpoint(saved);
            scene.applyLate();

            assertThat(stage.truth().checkpoints()).containsExactly(made);
        }

        @Test
        @Tag("JOB-2")
        void receiptOfSomethingElseIsRefusedWithBoth() {
            Job job = stage.attached();
            stage.skip(1, 1);
            job.start("s");
            Saved unlike = new Saved("s", "c", 4, OTHER, Direction.FORWARD);

            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(unlike),
                    "Cannot make checkpoint c of job j of train.numbers: its receipt is "
                            + OTHER
                            + ", and what the session gives up to step 4 has "
                            + job.given(4));
            assertThat(stage.truth().checkpoints()).isEmpty();

            Bytes ofAll = scene.truth().receiptBefore(4).orElseThrow();
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(new Saved("s", "c", 4, ofAll, Direction.FORWARD)),
                    "was given something else");
        }

        @Test
        void checkpointBeyondTheHeadIsRefused() {
            Job job = stage.attached();
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(new Saved("", "c", 11, OTHER, Direction.FORWARD)),
                    "step 11 lies beyond what is published, which is 10 steps");
        }

        @Test
        void checkpointOfAReplacedSessionIsFenced() {
            Job job = stage.attached();
            job.start("s");
            Saved saved = saved(job, "s", 4);
            stage.another().start("t");

            assertRefused(
                    FencedException.class,
                    () -> job.checkpoint(saved),
                    "session s of job j is not its latest: it is in session t");
        }

        @Test
        void rollbackIsSaid() {
            Job job = stage.attached();
            job.checkpoint(saved(job, "", 3));
            job.checkpoint(saved(job, "", 6));

            assertRefused(
                    InvalidRequestException.class,
                    () -> job.checkpoint(saved(job, "", 4)),
                    "lies behind checkpoint at6 at step 6; say that it is a rollback");
            job.checkpoint(new Saved("", "back", 4, job.given(4), Direction.ROLLBACK));
            assertThat(stage.truth().position().nextStep()).isEqualTo(4);
        }

        @Test
        void releasedCheckpointPinsNothing() {
            Job job = stage.attached();
            job.checkpoint(saved(job, "", 3));
            job.checkpoint(saved(job, "", 6));

            job.release("at3");
            job.release("at3");

            assertThat(stage.pin()).isEqualTo(6);
            assertRefused(
                    InvalidRequestException.class,
                    () -> job.release("at6"),
                    "job j would start at checkpoint at6");
        }
    }
}
