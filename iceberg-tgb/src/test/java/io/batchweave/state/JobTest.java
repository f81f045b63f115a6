package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.JobEntries;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Verdict.Reason;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs attach, and detach. */
class JobTest {
    /** A dataset with so many steps. */
    static History steps(long count) {
        History history = History.of();
        history.open("p");
        history.apply(
                LongStream.range(0, count)
                        .mapToObj(sequence -> (Entry) Entries.publish("p", 1, sequence))
                        .toArray(Entry[]::new));
        return history;
    }

    static JobState job(History history) {
        return history.state().job("j").orElseThrow();
    }

    @Test
    @Tag("APPLY-10")
    void jobThatAttachesHasPassedOverAllBefore() {
        History history = steps(5);

        assertAccepted(history.apply(JobEntries.attach(1, 3, 2)));

        JobState job = job(history);
        assertThat(job.isAttached()).isTrue();
        assertThat(job.keep()).isEqualTo(2);
        assertThat(job.position().nextStep()).isEqualTo(3);
        assertThat(job.passed(5)).isEqualTo(StepRanges.of(new StepRange(0, 2)));
        assertThat(job.session()).isEmpty();
        assertThat(Retention.lowestPin(history.state()))
                .contains(new Pin("j", job.attached()))
                .get()
                .extracting(Pin::since)
                .isEqualTo(history.state().time());
    }

    @Test
    @Tag("APPLY-10")
    void attachmentIsRecognisedByItsId() {
        History history = steps(5);
        history.apply(JobEntries.attach(1, 3, 2));
        State before = history.state();

        assertIgnored(
                history.apply(JobEntries.attach(1, 3, 2)),
                Reason.ALREADY_IN,
                "job j attached by this at version 3");
        assertIgnored(
                history.apply(JobEntries.attach(2, 3, 2)),
                Reason.UNFIT,
                "job j is attached since 2026-11-29T12:00:03Z, from step 3 on, and keeps 2"
                        + " checkpoints; detach it before it attaches anew");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    @Test
    @Tag("APPLY-10")
    void jobAttachesAtWhatIsPublishedNextAtTheLatest() {
        History history = steps(5);

        assertIgnored(
                history.apply(JobEntries.attach(1, 6, 2)),
                Reason.UNFIT,
                "step 6 lies beyond what is published, which is 5 steps");
        assertAccepted(history.apply(JobEntries.attach(1, 5, 2)));
    }

    @Test
    @Tag("APPLY-11")
    void detachedJobNeedsNothing() {
        History history = steps(5);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 2));

        assertAccepted(history.apply(JobEntries.detach(1)));

        assertThat(Retention.lowestPin(history.state())).isEmpty();
        assertThat(Retention.slowest(history.state())).isEmpty();
        assertThat(job(history).checkpoints()).isEmpty();
        assertThat(job(history).session()).isEmpty();
        assertIgnored(history.apply(JobEntries.detach(1)), Reason.ALREADY_IN, "job j is detached");
    }

    @Test
    @Tag("APPLY-11")
    void entriesOfADetachedJobAreWithoutEffect() {
        History history = steps(5);
        history.apply(JobEntries.attach(), JobEntries.checkpoint("", 1), JobEntries.detach(1));

        for (Entry entry : ofTheJob()) {
            assertIgnored(
                    history.apply(entry),
                    Reason.ENDED,
                    "job j was detached; attach it again to go on");
        }
    }

    @Test
    @Tag("APPLY-11")
    void entriesOfAnotherAttachmentAreFenced() {
        History history = steps(5);
        history.apply(JobEntries.attach(), JobEntries.detach(1), JobEntries.attach(2, 0, 1));

        for (Entry entry : ofTheJob()) {
            assertIgnored(history.apply(entry), Reason.FENCED, "job j attached anew at version 3");
        }
        assertReasons(history.apply(JobEntries.detach(1)), Reason.FENCED);
    }

    @Test
    @Tag("APPLY-11")
    void entriesOfAJobThatNeverAttachedAreUnfit() {
        History history = steps(5);

        for (Entry entry : ofTheJob()) {
            assertIgnored(
                    history.apply(entry), Reason.UNFIT, "job j never attached; attach it first");
        }
        assertReasons(history.apply(new DetachJob("nobody", Entries.id(1))), Reason.UNFIT);
    }

    private static Entry[] ofTheJob() {
        return new Entry[] {
            JobEntries.session("s"), JobEntries.checkpoint("", 2), JobEntries.release("at1")
        };
    }

    @Test
    @Tag("APPLY-10")
    void jobThatAttachesAnewRemembersNothing() {
        History history = steps(5);
        history.apply(JobEntries.attach(), JobEntries.session("s"));
        history.apply(JobEntries.checkpoint("s", 2), JobEntries.detach(1));

        assertAccepted(history.apply(JobEntries.attach(2, 1, 5)));

        JobState job = job(history);
        assertThat(job.position()).isEqualTo(job.attached());
        assertThat(job.checkpoints()).isEmpty();
        assertThat(job.session()).isEmpty();
        assertThat(job.formerSessions()).isEmpty();
    }

    @Test
    @Tag("APPLY-10")
    void jobsOfASealedDatasetComeAndGo() {
        History history = steps(5);
        history.apply(Entries.seal());

        assertAccepted(
                history.apply(JobEntries.attach(), JobEntries.session("s"), JobEntries.detach(1)));
    }
}
