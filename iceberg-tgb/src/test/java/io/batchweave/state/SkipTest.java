package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Verdict.Reason;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators say of a dataset: steps to be skipped, and settings. */
class SkipTest {
    @Nested
    @Tag("APPLY-15")
    class SkippingTest {
        @Test
        void stepsKeepTheReasonThatCameFirst() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.skip(3, 4));
            var first = history.state().time();

            assertAccepted(history.apply(new Skip(new StepRange(2, 6), "wider")));

            assertThat(history.state().skips().records())
                    .containsExactly(
                            new Skipped(new StepRange(2, 2), "wider", history.state().time()),
                            new Skipped(new StepRange(3, 4), "a spike", first),
                            new Skipped(new StepRange(5, 6), "wider", history.state().time()));
            assertThat(history.state().skips().steps())
                    .isEqualTo(StepRanges.of(new StepRange(2, 6)));
        }

        @Test
        void whatIsSkippedIsSkippedOnce() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.skip(3, 4), JobEntries.skip(5, 6));

            assertIgnored(
                    history.apply(JobEntries.skip(4, 5)),
                    Reason.ALREADY_IN,
                    "steps 4..5 are skipped");
        }

        @Test
        void unskippingLeavesTheRestOfARange() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.skip(1, 7));
            var at = history.state().time();

            assertAccepted(history.apply(JobEntries.unskip(3, 4)));

            assertThat(history.state().skips().records())
                    .containsExactly(
                            new Skipped(new StepRange(1, 2), "a spike", at),
                            new Skipped(new StepRange(5, 7), "a spike", at));
            assertIgnored(
                    history.apply(JobEntries.unskip(3, 4)),
                    Reason.ALREADY_IN,
                    "steps 3..4 are not skipped");
        }

        @Test
        void stepsThatEveryModelHasSeenAreNotSkipped() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(1, 0, 1), JobEntries.checkpoint("", 5));

            assertIgnored(
                    history.apply(JobEntries.skip(4, 8)),
                    Reason.UNFIT,
                    "steps 4..8 begin behind checkpoint at5 at step 5 of job j, and no job can"
                            + " start before it: its model has seen them");
            assertAccepted(history.apply(JobEntries.skip(5, 8)));
        }

        @Test
        void stepsThatAJobMayStillBeGivenAreSkipped() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(1, 0, 2), JobEntries.checkpoint("", 3));
            history.apply(JobEntries.checkpoint("", 8));

            assertAccepted(history.apply(JobEntries.skip(4, 5)));
        }

        @Test
        void stepsThatAreNotPublishedAreSkipped() {
            History history = JobTest.steps(9);

            assertAccepted(history.apply(JobEntries.skip(20, Long.MAX_VALUE - 1)));
        }

        @Test
        void thereAreSoManyRangesAndNoMore() {
            History history = JobTest.steps(9);
            history.apply(
                    IntStream.range(0, Skips.RECORDS_MAX)
                            .mapToObj(i -> (Entry) JobEntries.skip(i * 4L, i * 4L + 2))
                            .toArray(Entry[]::new));
            assertThat(history.state().skips().records()).hasSize(Skips.RECORDS_MAX);

            assertIgnored(
                    history.apply(JobEntries.skip(9_999, 9_999)),
                    Reason.UNFIT,
                    "that makes more than 1024 ranges of skipped steps");
            assertReasons(history.apply(JobEntries.unskip(1, 1)), Reason.UNFIT);
            assertAccepted(history.apply(JobEntries.unskip(0, 2), JobEntries.skip(9_999, 9_999)));
        }
    }

    @Nested
    @Tag("APPLY-16")
    class AlteringTest {
        @Test
        void settingsChangeOneByOne() {
            History history = JobTest.steps(1);
            assertThat(history.state().settings()).isEqualTo(Settings.DEFAULT);

            assertAccepted(history.apply(JobEntries.alter(new MaxLead(7), new KeepSteps(5))));
            assertAccepted(
                    history.apply(
                            JobEntries.alter(
                                    new KeepFor(1_500), new Retention(RetentionPolicy.FOREVER))));

            assertThat(history.state().settings())
                    .isEqualTo(
                            new Settings(RetentionPolicy.FOREVER, 5, Duration.ofMillis(1_500), 7));
        }

        @Test
        void settingsThatAreSoAlreadyAreInAlready() {
            History history = JobTest.steps(1);
            history.apply(JobEntries.alter(new MaxLead(7), new KeepSteps(5)));

            assertIgnored(
                    history.apply(JobEntries.alter(new KeepSteps(5))),
                    Reason.ALREADY_IN,
                    "the dataset has these settings");
        }
    }
}
