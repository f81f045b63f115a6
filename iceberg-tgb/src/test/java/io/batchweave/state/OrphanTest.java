package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.JobEntries;
import io.batchweave.state.Verdict.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a producer left behind is told from what may be needed by the log alone. */
@Tag("SWEEP-5")
class OrphanTest {
    private final History history = History.of();

    private boolean isOrphaned(String producer, long epoch, long sequence) {
        return Retention.isOrphaned(new Claim(producer, epoch, sequence), history.state());
    }

    @Test
    void uploadOfTheLivingIsKept() {
        long epoch = history.open("p");
        assertThat(isOrphaned("p", epoch, 0)).isFalse();
        history.apply(Entries.publish("p", epoch, 0));

        assertThat(isOrphaned("p", epoch, 0)).isFalse();
        assertThat(isOrphaned("p", epoch, 1)).isFalse();
    }

    @Test
    void whatTheStateDoesNotKnowIsKept() {
        long epoch = history.open("p");

        assertThat(isOrphaned("p", epoch + 1, 0)).isFalse();
        assertThat(isOrphaned("q", epoch, 0)).isFalse();
    }

    @Test
    @Tag("SWEEP-2")
    void uploadWithoutACommitIsOrphanedOnceTheNextEpochOpens() {
        long epoch = history.open("p");
        history.apply(Entries.publish("p", epoch, 0));
        assertThat(isOrphaned("p", epoch, 1)).isFalse();

        history.open("p");

        assertThat(isOrphaned("p", epoch, 1)).isTrue();
        assertThat(isOrphaned("p", epoch, 0)).isFalse();
    }

    @Test
    void epochThatPublishedNothingLeavesOrphansOnly() {
        long first = history.open("p");
        long second = history.open("p");
        history.apply(Entries.publish("p", second, 0));
        history.open("p");

        assertThat(isOrphaned("p", first, 0)).isTrue();
        assertThat(isOrphaned("p", second, 0)).isFalse();
        assertThat(isOrphaned("p", second, 1)).isTrue();
    }

    @Test
    void onceItsStepsAreSweptAllOfAnEpochIsOrphaned() {
        long epoch = history.open("p");
        history.apply(Entries.publish("p", epoch, 0));
        history.open("p");
        history.apply(JobEntries.attach(), JobEntries.checkpoint("", 1));
        assertThat(isOrphaned("p", epoch, 0)).isFalse();

        history.apply(new Sweep(1, 0));

        assertThat(isOrphaned("p", epoch, 0)).isTrue();
    }

    /**
     * Everything that ever was uploaded is one of three: needed, below the low step, or orphaned.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("SWEEP-2")
    void nothingIsForgottenAndNothingNeededIsOrphaned(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Claim, Long> steps = new HashMap<>();
        List<Claim> uploaded = new ArrayList<>();
        history.open("p");
        history.open("q");
        history.apply(JobEntries.attach());
        for (int i = 0; i < 400; i++) {
            String name = random.nextBoolean() ? "p" : "q";
            ProducerState producer = history.producer(name);
            Claim claim = new Claim(name, producer.epoch(), producer.nextSequence());
            switch (random.nextInt(6)) {
                case 0 -> history.open(name);
                case 1 -> uploaded.add(claim);
                case 2 -> sweepRandomly(random);
                default -> {
                    uploaded.add(claim);
                    if (history.apply(Entries.publish(claim)).get(0) instanceof Published in) {
                        steps.put(claim, in.step());
                    }
                }
            }
            for (Claim each : uploaded) {
                assertJudged(each, steps.getOrDefault(each, -1L));
            }
        }
        assertThat(history.state().lowStep()).isPositive();
    }

    private void sweepRandomly(SplittableRandom random) {
        State state = history.state();
        long pinned = Retention.keptAtAnyTime(state);
        long next = random.nextLong(pinned, state.nextStep() + 1);
        history.apply(JobEntries.checkpoint("", "c" + state.version(), next));
        long kept = Retention.keptAtAnyTime(history.state());
        history.apply(new Sweep(kept, state.lowStep()));
        assertThat(history.state().lowStep()).isEqualTo(kept);
    }

    /**
     * @param step that the claim became; below 0: none
     */
    private void assertJudged(Claim claim, long step) {
        State state = history.state();
        boolean isNeeded =
                step >= 0
                        ? step >= state.lowStep()
                        : claim.epoch() == history.producer(claim.producer()).epoch();
        boolean isSwept = step >= 0 && step < state.lowStep();
        if (isNeeded) {
            assertThat(Retention.isOrphaned(claim, state)).as("%s, needed", claim).isFalse();
        } else {
            assertThat(isSwept || Retention.isOrphaned(claim, state)).as("%s", claim).isTrue();
        }
    }

    @Test
    void ofAProducerThatHasFinishedNothingMoreComes() {
        long epoch = history.open("p");
        history.apply(Entries.publish("p", epoch, 0));
        history.apply(Entries.finish("p", epoch, 1));

        assertThat(isOrphaned("p", epoch, 0)).isFalse();
        assertThat(isOrphaned("p", epoch, 2)).isTrue();
    }

    @Test
    void ofASealedDatasetNothingMoreComes() {
        long epoch = history.open("p");
        history.apply(Entries.publish("p", epoch, 0));
        history.apply(Entries.seal());

        assertThat(isOrphaned("p", epoch, 0)).isFalse();
        assertThat(isOrphaned("p", epoch, 1)).isTrue();
        assertThat(isOrphaned("p", epoch + 1, 1)).isFalse();
    }
}
