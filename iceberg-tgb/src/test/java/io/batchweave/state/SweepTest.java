package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertPublished;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.state.Verdict.Reason;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log says which payload may be deleted, and which is gone. */
@Tag("APPLY-18")
class SweepTest {
    /** Nine steps, of which a job needs those from 7 on. */
    private static History pinnedAt7() {
        History history = JobTest.steps(9);
        history.apply(JobEntries.attach(), JobEntries.checkpoint("", 7));
        return history;
    }

    private static List<Verdict> sweep(History history, long lowStep, long sweptStep) {
        return history.apply(new Sweep(lowStep, sweptStep));
    }

    private static void assertKept(History history, long lowStep, long sweptStep) {
        assertThat(history.state().kept()).isEqualTo(new Kept(lowStep, sweptStep));
    }

    @Test
    void newDatasetKeepsAllSteps() {
        assertKept(JobTest.steps(3), 0, 0);
        assertReasons(sweep(JobTest.steps(3), 0, 0), Reason.ALREADY_IN);
    }

    @Test
    void lowStepRisesAndWhatWasDeletedBeforeIsSaid() {
        History history = pinnedAt7();

        assertAccepted(sweep(history, 4, 0));
        assertKept(history, 4, 0);
        assertAccepted(sweep(history, 7, 4));
        assertKept(history, 7, 4);
        assertAccepted(sweep(history, 7, 7));
        assertKept(history, 7, 7);
        assertThat(history.state().lowStep()).isEqualTo(7);
    }

    @Test
    void sweepThatWasOvertakenIsIn() {
        History history = pinnedAt7();
        sweep(history, 6, 0);
        State before = history.state();

        assertIgnored(
                sweep(history, 6, 0),
                Reason.ALREADY_IN,
                "payload is kept from step 6 on, and all below step 0 is swept");
        assertReasons(sweep(history, 5, 0), Reason.ALREADY_IN);
        assertReasons(sweep(history, 5, 5), Reason.ALREADY_IN);
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    @Test
    void whoKnowsLessOfWhatIsGoneMayRaiseTheLowStep() {
        History history = pinnedAt7();
        sweep(history, 4, 0);
        sweep(history, 5, 4);

        assertAccepted(sweep(history, 6, 2));
        assertKept(history, 6, 4);
    }

    @Test
    void nobodyCanHaveSweptWhatWasNotGivenUpBefore() {
        History history = pinnedAt7();
        sweep(history, 4, 0);

        assertIgnored(
                sweep(history, 7, 5),
                Reason.UNFIT,
                "nobody can have swept up to step 5: payload is kept from step 4 on");
        assertKept(history, 4, 0);
    }

    @Test
    @Tag("SWEEP-3")
    void pinnedStepIsNeverGivenUp() {
        History history = pinnedAt7();

        assertIgnored(
                sweep(history, 8, 0),
                Reason.UNFIT,
                "step 7 must be kept: job j can start at checkpoint at7 at step 7");
        assertKept(history, 0, 0);
    }

    @Test
    @Tag("JOB-4")
    void policiesAreJudgedAtTheTimeOfTheState() {
        History history = pinnedAt7();
        history.apply(JobEntries.alter(new KeepSteps(5), new KeepFor(1_000_000)));
        assertIgnored(sweep(history, 1, 0), Reason.UNFIT, "step 0 must be kept");

        history.apply(JobEntries.alter(new KeepFor(0)));
        assertIgnored(sweep(history, 5, 0), Reason.UNFIT, "step 4 must be kept");
        assertAccepted(sweep(history, 4, 0));

        history.apply(JobEntries.alter(new Retention(RetentionPolicy.FOREVER)));
        assertIgnored(sweep(history, 5, 0), Reason.UNFIT, "step 0 must be kept");
    }

    @Test
    void datasetThatNoJobEverAttachedToKeepsEverything() {
        assertIgnored(sweep(JobTest.steps(9), 1, 0), Reason.UNFIT, "step 0 must be kept");
    }

    @Test
    void stepThatIsNotPublishedIsNotSwept() {
        History history = JobTest.steps(3);
        history.apply(JobEntries.attach(), JobEntries.detach(1));

        assertReasons(sweep(history, 4, 0), Reason.UNFIT);
        assertAccepted(sweep(history, 3, 0));
    }

    /** What was given up stays so, and that it is gone may be said whatever is kept by then. */
    @Test
    void stricterPolicyBringsNothingBack() {
        History history = pinnedAt7();
        sweep(history, 6, 0);
        history.apply(JobEntries.alter(new Retention(RetentionPolicy.FOREVER)));

        assertAccepted(sweep(history, 6, 6));
        assertKept(history, 6, 6);
    }

    @Test
    @Tag("APPLY-10")
    void jobDoesNotAttachWherePayloadIsGone() {
        History history = pinnedAt7();
        sweep(history, 6, 0);
        AttachJob below = new AttachJob("k", Entries.id(2), 5, 1);

        assertIgnored(
                history.apply(below),
                Reason.UNFIT,
                "the payload of step 5 is swept; the first step that is kept is 6; attach there,"
                        + " or later");
        assertAccepted(history.apply(new AttachJob("k", Entries.id(2), 6, 1)));
    }

    /** Whichever comes first: the other one is without effect. */
    @Test
    @Tag("SWEEP-3")
    void attachmentAndSweepAreJudgedInTheOrderOfTheLog() {
        Entry attach = new AttachJob("k", Entries.id(2), 3, 1);
        Entry sweep = new Sweep(5, 0);

        History first = pinnedAt7();
        assertThat(first.apply(attach, sweep).get(1))
                .isEqualTo(
                        new Verdict.Ignored(
                                Reason.UNFIT,
                                "step 3 must be kept: job k can start at the attachment at step 3"));
        History second = pinnedAt7();
        assertThat(second.apply(sweep, attach).get(1)).isInstanceOf(Verdict.Ignored.class);
    }

    @Test
    @Tag("CODEC-6")
    void stateThatKeepsWhatCannotBeIsRefused() {
        State state = JobTest.steps(3).state();
        for (Kept kept : List.of(new Kept(4, 0), new Kept(2, 3), new Kept(2, -1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kept.check(state.nextStep()))
                    .withMessageStartingWith("of 3 steps it keeps those from ");
        }
        new Kept(3, 3).check(3);
    }

    /** Of which epochs something that lies in the store may be needed. */
    @Nested
    @Tag("APPLY-3")
    class FormerEpochsTest {
        private final History history = History.of();

        private List<FormerEpoch> former() {
            return history.producer("p").former();
        }

        @Test
        void epochThatPublishedIsRememberedWhenItIsReplaced() {
            history.open("p");
            history.apply(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1));
            assertThat(history.producer("p").lastStep()).isEqualTo(1);
            assertThat(former()).isEmpty();

            history.open("p");

            assertThat(former()).containsExactly(new FormerEpoch(1, 2, 1));
            assertThat(history.producer("p").lastStep()).isEqualTo(ProducerState.NO_STEP);
        }

        @Test
        void epochThatPublishedNothingIsForgotten() {
            history.open("p");
            history.open("p");
            history.apply(Entries.finish("p", 2, 0));
            history.open("p");

            assertThat(former()).isEmpty();
        }

        @Test
        void finishIsASequenceAndNoStep() {
            history.open("p");
            history.apply(Entries.publish("p", 1, 0), Entries.finish("p", 1, 1));
            history.open("p");

            assertThat(former()).containsExactly(new FormerEpoch(1, 2, 0));
        }

        @Test
        void epochIsForgottenWithTheLastOfItsSteps() {
            history.open("p");
            assertPublished(
                    history.apply(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1)), 0, 1);
            history.open("q");
            assertPublished(history.apply(Entries.publish("q", 3, 0)), 2);
            long epoch = history.open("p");
            assertPublished(history.apply(Entries.publish("p", epoch, 2)), 3);
            history.open("p");
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 4));
            assertThat(former()).hasSize(2);

            sweep(history, 1, 0);
            assertThat(former()).hasSize(2);
            sweep(history, 2, 0);
            assertThat(former()).containsExactly(new FormerEpoch(epoch, 3, 3));
            sweep(history, 4, 0);
            assertThat(former()).isEmpty();
        }

        @Test
        void epochAllOfWhoseStepsAreSweptIsForgottenWhenItIsReplaced() {
            history.open("p");
            history.apply(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1));
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 2));
            sweep(history, 2, 0);
            assertThat(history.producer("p").lastStep()).isEqualTo(1);

            history.open("p");

            assertThat(former()).isEmpty();
        }
    }
}
