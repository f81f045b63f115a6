package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What must be kept follows from the State, and so does what a trainer was given. */
class RetentionTest {
    private static long keptFrom(History history, Instant now) {
        return io.batchweave.state.Retention.keptFrom(history.state(), now);
    }

    private static long keptFrom(History history) {
        return keptFrom(history, history.state().time());
    }

    @Nested
    @Tag("JOB-4")
    class KeepingTest {
        @Test
        void datasetThatNoJobEverAttachedToKeepsEverything() {
            assertThat(keptFrom(JobTest.steps(9))).isZero();
        }

        @Test
        void lowestPinOfAllJobsCounts() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 7));
            assertThat(keptFrom(history)).isEqualTo(7);

            history.apply(new AttachJob("k", Entries.id(2), 4, 1));
            assertThat(keptFrom(history)).isEqualTo(4);
        }

        @Test
        void onceAllJobsAreDetachedOnlyPoliciesKeep() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.detach(1));
            assertThat(keptFrom(history)).isEqualTo(9);

            history.apply(JobEntries.alter(new KeepSteps(2)));
            assertThat(keptFrom(history)).isEqualTo(7);
            history.apply(JobEntries.alter(new KeepSteps(20)));
            assertThat(keptFrom(history)).isZero();
        }

        @Test
        void policiesKeepMoreThanPinsAndNeverLess() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 3));

            history.apply(JobEntries.alter(new KeepSteps(2)));

            assertThat(keptFrom(history)).isEqualTo(3);
        }

        @Test
        void foreverKeepsEverything() {
            History history = JobTest.steps(9);
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 9));
            history.apply(JobEntries.alter(new Retention(RetentionPolicy.FOREVER)));

            assertThat(keptFrom(history)).isZero();
        }

        @Test
        void stepsAreKeptForATime() {
            History history = History.of();
            history.open("p");
            for (int i = 0; i < 6; i++) {
                history.apply(Entries.publish("p", 1, i));
            }
            history.apply(JobEntries.attach(), JobEntries.checkpoint("", 6));
            history.apply(JobEntries.alter(new KeepFor(10_000)));

            Instant second = history.state().step(2).at();
            Duration age = Duration.ofSeconds(10);
            assertThat(keptFrom(history, second.plus(age).minusMillis(1))).isEqualTo(2);
            assertThat(keptFrom(history, second.plus(age))).isEqualTo(3);
            assertThat(keptFrom(history, Instant.EPOCH)).isZero();
            assertThat(keptFrom(history, second.plus(age).plusSeconds(99))).isEqualTo(6);
        }
    }

    @Nested
    @Tag("JOB-1")
    class GivenTest {
        private final Bytes chain = Bytes.fromHex("ab".repeat(32));

        @Test
        void whoPassedOverNothingHasTheChainsReceipt() {
            assertThat(Receipts.given(chain, StepRanges.NONE)).isEqualTo(chain);
        }

        @Test
        void whatWasPassedOverIsInTheReceipt() {
            var sha256 = Bytes.sha256();
            sha256.update("batchweave passed ".getBytes(StandardCharsets.US_ASCII));
            sha256.update(chain.toArray());
            sha256.update(
                    ByteBuffer.allocate(32).putLong(0).putLong(1).putLong(7).putLong(7).array());

            StepRanges passed = StepRanges.of(new StepRange(7, 7), new StepRange(0, 1));
            assertThat(Receipts.given(chain, passed)).isEqualTo(Bytes.digestOf(sha256));
        }
    }
}
