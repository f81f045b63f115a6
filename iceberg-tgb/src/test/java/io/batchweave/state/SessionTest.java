package io.batchweave.state;

import static io.batchweave.state.JobTest.job;
import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.JobEntries;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Verdict.Reason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session is one commit: it fixes where the job's ranks start, and what they pass over. */
@Tag("APPLY-12")
class SessionTest {
    private static Session session(History history) {
        return job(history).session().orElseThrow();
    }

    @Test
    void firstSessionStartsWhereTheJobAttached() {
        History history = JobTest.steps(5);
        history.apply(JobEntries.attach(1, 2, 3));

        assertAccepted(history.apply(JobEntries.session("s")));

        Session session = session(history);
        assertThat(session.id()).isEqualTo("s");
        assertThat(session.start()).isEqualTo(job(history).attached());
        assertThat(session.firstStep()).isEqualTo(2);
        assertThat(session.version()).isEqualTo(history.state().version());
        assertThat(session.at()).isEqualTo(history.state().time());
    }

    @Test
    void laterRanksFindTheSessionAsItIs() {
        History history = JobTest.steps(5);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        Session started = session(history);

        history.apply(JobEntries.skip(2, 3));
        assertIgnored(
                history.apply(JobEntries.session("s")),
                Reason.ALREADY_IN,
                "session s of job j started at version 3");
        history.apply(JobEntries.checkpoint("s", 4));
        assertReasons(history.apply(JobEntries.session("s")), Reason.ALREADY_IN);
        assertThat(session(history)).isEqualTo(started);
    }

    @Test
    void nextSessionGoesOnAtTheNewestCheckpoint() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 4), JobEntries.checkpoint("s", 6));

        history.apply(JobEntries.session("t"));

        assertThat(session(history).start().checkpoint()).isEqualTo("at6");
        assertThat(session(history).firstStep()).isEqualTo(6);
    }

    @Test
    void sessionGoesBackToACheckpointThatIsKept() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 4), JobEntries.checkpoint("s", 6));

        assertAccepted(history.apply(JobEntries.session("t", "at4")));
        assertThat(session(history).firstStep()).isEqualTo(4);
        assertThat(job(history).position().checkpoint()).isEqualTo("at4");

        // One that crashes before its first checkpoint is followed by one that starts where it did.
        history.apply(JobEntries.session("u"));
        assertThat(session(history).start().checkpoint()).isEqualTo("at4");
    }

    @Test
    void unknownStartIsRefusedAndTheKnownOnesAreNamed() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(1, 0, 2));
        assertIgnored(
                history.apply(JobEntries.session("s", "at4")),
                Reason.UNFIT,
                "job j keeps no checkpoint at4; it keeps none");

        history.apply(JobEntries.checkpoint("", 4), JobEntries.checkpoint("", 5));
        history.apply(JobEntries.checkpoint("", 6));
        assertIgnored(
                history.apply(JobEntries.session("s", "at4")),
                Reason.UNFIT,
                "job j keeps no checkpoint at4; it keeps at5, at6");
    }

    @Test
    void sameIdWithAnotherStartIsRefused() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.checkpoint("", 4));
        history.apply(JobEntries.checkpoint("", 6), JobEntries.session("s"));

        assertReasons(history.apply(JobEntries.session("s", "at6")), Reason.ALREADY_IN);
        assertIgnored(
                history.apply(JobEntries.session("s", "at4")),
                Reason.UNFIT,
                "session s of job j started at checkpoint at6 at step 6, and not at checkpoint"
                        + " at4; give a start of its own another id");
    }

    @Test
    void olderSessionIsFenced() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.session("t"));

        assertIgnored(
                history.apply(JobEntries.session("s")),
                Reason.FENCED,
                "session s of job j is not its latest: it is in session t");
    }

    @Test
    void soManyFormerSessionsAreKnown() {
        History history = JobTest.steps(1);
        history.apply(JobEntries.attach());
        for (int i = 0; i <= JobState.FORMER_SESSIONS_MAX + 1; i++) {
            assertAccepted(history.apply(JobEntries.session("s" + i)));
        }

        assertThat(job(history).formerSessions()).hasSize(JobState.FORMER_SESSIONS_MAX);
        assertReasons(history.apply(JobEntries.session("s1")), Reason.FENCED);
        assertAccepted(history.apply(JobEntries.session("s0")));
    }

    @Test
    void oneCommitStartsOneSession() {
        History history = JobTest.steps(1);
        history.apply(JobEntries.attach());

        assertReasons(
                history.apply(JobEntries.session("s"), JobEntries.session("t")),
                null,
                Reason.FENCED);
    }

    @Test
    void sessionPassesOverWhatIsSkippedWhenItStarts() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(1, 1, 3), JobEntries.skip(3, 4));

        history.apply(JobEntries.session("s"));
        history.apply(JobEntries.skip(6, 7), JobEntries.unskip(3, 4));

        assertThat(session(history).passed())
                .isEqualTo(StepRanges.of(new StepRange(0, 0), new StepRange(3, 4)));
    }

    @Test
    void firstStepIsOneThatIsGiven() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(1, 2, 3), JobEntries.skip(2, 5));

        history.apply(JobEntries.session("s"));

        assertThat(session(history).firstStep()).isEqualTo(6);
    }

    @Test
    void whatACheckpointPassedOverStaysPassedOver() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.skip(2, 3), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 6), JobEntries.unskip(2, 3));

        // Steps that the model has seen already are not skipped by what comes later either.
        history.apply(JobEntries.skip(7, 7), JobEntries.session("t"));

        assertThat(session(history).passed())
                .isEqualTo(StepRanges.of(new StepRange(2, 3), new StepRange(7, 7)));
    }

    @Test
    void sessionAtAnOlderCheckpointSkipsWhatTheModelSawAfterIt() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 2), JobEntries.checkpoint("s", 8));

        assertAccepted(history.apply(JobEntries.skip(4, 5)));
        history.apply(JobEntries.session("newest"));
        assertThat(session(history).passed()).isEqualTo(StepRanges.NONE);

        history.apply(JobEntries.session("older", "at2"));
        assertThat(session(history).passed()).isEqualTo(StepRanges.of(new StepRange(4, 5)));
    }
}
