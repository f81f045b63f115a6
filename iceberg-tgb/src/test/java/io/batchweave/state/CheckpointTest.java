package io.batchweave.state;

import static io.batchweave.state.JobTest.job;
import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.JobEntries;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Verdict.Reason;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checkpoints move a job, and pin what it may go back to. */
class CheckpointTest {
    private static long pin(History history) {
        return Retention.lowestPin(history.state()).orElseThrow().step();
    }

    @Nested
    @Tag("APPLY-13")
    class MakingTest {
        @Test
        void checkpointMovesTheJobAndKeepsWhatItSaw() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.skip(2, 3), JobEntries.skip(7, 7));
            history.apply(JobEntries.session("s"));

            assertAccepted(history.apply(JobEntries.checkpoint("s", "c", 6)));

            assertThat(job(history).position())
                    .isEqualTo(
                            new Position(
                                    "c",
                                    6,
                                    JobEntries.RECEIPT,
                                    StepRanges.of(new StepRange(2, 3)),
                                    history.state().time()))
                    .isEqualTo(job(history).checkpoint("c").orElseThrow());
        }

        @Test
        void oldestOfThoseKeptIsThePin() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(1, 0, 2));
            assertThat(pin(history)).isZero();

            history.apply(JobEntries.checkpoint("", 3));
            assertThat(pin(history)).isEqualTo(3);
            history.apply(JobEntries.checkpoint("", 5));
            assertThat(pin(history)).isEqualTo(3);
            history.apply(JobEntries.checkpoint("", 8));

            assertThat(pin(history)).isEqualTo(5);
            assertThat(job(history).checkpoints())
                    .extracting(Position::checkpoint)
                    .containsExactly("at5", "at8");
        }

        @Test
        void sameCheckpointTwiceIsOne() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.session("s"));
            history.apply(JobEntries.checkpoint("s", "c", 6));
            JobState before = job(history);

            assertIgnored(
                    history.apply(JobEntries.checkpoint("s", "c", 6)),
                    Reason.ALREADY_IN,
                    "checkpoint c of job j is in");
            assertIgnored(
                    history.apply(JobEntries.checkpoint("s", "c", 7)),
                    Reason.UNFIT,
                    "checkpoint c of job j is at step 6 with the receipt "
                            + JobEntries.RECEIPT
                            + ", and not at step 7 with "
                            + JobEntries.RECEIPT);
            Bytes other = Bytes.fromHex("0e".repeat(32));
            assertReasons(
                    history.apply(new Checkpoint("j", Entries.id(1), "s", "c", 6, other, false)),
                    Reason.UNFIT);
            assertThat(job(history)).isEqualTo(before);
        }

        @Test
        void checkpointOfAnotherSessionIsFenced() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach());
            assertIgnored(
                    history.apply(JobEntries.checkpoint("s", 1)),
                    Reason.FENCED,
                    "session s of job j is not its latest: it has started none");

            history.apply(JobEntries.session("s"));
            history.apply(JobEntries.session("t"));

            assertReasons(history.apply(JobEntries.checkpoint("s", 1)), Reason.FENCED);
            assertIgnored(
                    history.apply(JobEntries.checkpoint("", 1)),
                    Reason.FENCED,
                    "job j needs a session to be named: it is in session t");
            assertAccepted(history.apply(JobEntries.checkpoint("t", 1)));
        }

        @Test
        void checkpointBeyondTheHeadIsRefused() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach());

            assertIgnored(
                    history.apply(JobEntries.checkpoint("", "c", 10)),
                    Reason.UNFIT,
                    "checkpoint c of job j lies beyond what is published, which is 9 steps");
            assertAccepted(history.apply(JobEntries.checkpoint("", "c", 9)));
        }

        @Test
        void checkpointBehindTheLastOneIsARollbackOrNothing() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.session("s"));
            history.apply(JobEntries.checkpoint("s", 4), JobEntries.checkpoint("s", 8));

            assertIgnored(
                    history.apply(JobEntries.checkpoint("s", "back", 5)),
                    Reason.UNFIT,
                    "checkpoint back of job j at step 5 lies behind checkpoint at8 at step 8; say"
                            + " that it is a rollback, or start a session at an older checkpoint");
            assertAccepted(history.apply(JobEntries.rollback("s", "back", 5)));
            assertThat(job(history).position().checkpoint()).isEqualTo("back");
            assertAccepted(history.apply(JobEntries.checkpoint("s", "again", 5)));
        }

        @Test
        void rollbackBehindAllThatIsPinnedIsRefused() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(1, 0, 1), JobEntries.checkpoint("", 4));

            assertIgnored(
                    history.apply(JobEntries.rollback("", "back", 3)),
                    Reason.UNFIT,
                    "checkpoint back of job j at step 3 lies behind all that the job still pins,"
                            + " from checkpoint at4 at step 4 on");
            assertAccepted(history.apply(JobEntries.rollback("", "back", 4)));
        }

        @Test
        void sessionThatWentBackPinsItsStartUntilItHasACheckpoint() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(1, 0, 2), JobEntries.session("s"));
            history.apply(JobEntries.checkpoint("s", 2), JobEntries.checkpoint("s", 8));
            history.apply(JobEntries.session("t", "at2"));
            assertThat(pin(history)).isEqualTo(2);
            assertThat(Retention.slowest(history.state()).orElseThrow().nextStep()).isEqualTo(2);

            history.apply(JobEntries.checkpoint("t", 5));

            assertThat(pin(history)).isEqualTo(5);
            assertThat(job(history).checkpoints())
                    .extracting(Position::checkpoint)
                    .containsExactly("at8", "at5");
        }
    }

    @Nested
    @Tag("APPLY-14")
    class ReleasingTest {
        @Test
        void releasedCheckpointPinsNothing() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 4));
            history.apply(JobEntries.checkpoint("", 8));

            assertAccepted(history.apply(JobEntries.release("at4")));

            assertThat(pin(history)).isEqualTo(8);
            assertIgnored(
                    history.apply(JobEntries.release("at4")),
                    Reason.ALREADY_IN,
                    "job j keeps no checkpoint at4");
        }

        @Test
        void whereTheJobWouldStartIsNotReleased() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 4));
            history.apply(JobEntries.checkpoint("", 8));

            assertIgnored(
                    history.apply(JobEntries.release("at8")),
                    Reason.UNFIT,
                    "job j would start at checkpoint at8; make another one, start a session at an"
                            + " older one, or detach the job before");
            history.apply(JobEntries.session("s", "at4"));
            assertReasons(history.apply(JobEntries.release("at4")), Reason.UNFIT);
            assertAccepted(history.apply(JobEntries.release("at8")));
        }
    }
}
