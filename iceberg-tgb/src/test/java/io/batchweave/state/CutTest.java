package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Setting.KeepFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePVector;

/** A State keeps the records of its newest steps; the others are cut off as segments. */
@Tag("APPLY-17")
class CutTest {
    private final History history = History.of();
    private final List<Segment> cut = new ArrayList<>();

    CutTest() {
        history.open("p");
    }

    /** Publishes steps of so much that two are more than a State keeps. */
    private State publishHeavy(int from, int to) {
        for (int sequence = from; sequence < to; sequence++) {
            apply(Entries.heavy(new Claim("p", 1, sequence)));
        }
        return history.state();
    }

    private void apply(Entry... entries) {
        int number = history.commits().size();
        Instant time = History.START.plusSeconds(number);
        cut.addAll(history.state().apply(History.commit(number, time, entries)).cut());
        history.apply(entries);
    }

    @Test
    void oldStepsAreCutOffOnceTheNewestAreHeavy() {
        State state = publishHeavy(0, 2);
        assertThat(state.steps().segments()).isEmpty();
        assertThat(cut).isEmpty();

        List<StepRecord> all = state.steps().recent();
        state = publishHeavy(2, 3);

        assertThat(cut).containsExactly(new Segment(all.subList(0, 1)));
        assertThat(state.steps().segments()).containsExactly(cut.get(0).ref());
        assertThat(state.steps().recent().subList(0, 1)).isEqualTo(all.subList(1, 2));
        assertThat(state.nextStep()).isEqualTo(3);
        assertThat(state.steps().firstRecent()).isEqualTo(1);
    }

    @Test
    void lightStepsShareASegment() {
        long weight = Weights.of(Entries.batch(0, 2));
        int enough = (int) (Steps.RECENT_MAX / weight);
        publishLight(0, enough);
        publishLight(enough, enough + 1);
        assertThat(cut).as("as heavy as they may be").isEmpty();

        publishLight(enough + 1, enough + 2);
        int least = (int) ((Steps.SEGMENT_MIN + weight - 1) / weight);
        assertThat(cut).singleElement().extracting(s -> s.steps().size()).isEqualTo(least);
        assertThat(history.state().steps().weight()).isEqualTo((enough + 2 - least) * weight);
    }

    private void publishLight(int from, int to) {
        for (int first = from; first < to; first += 1_000) {
            apply(
                    IntStream.range(first, Math.min(to, first + 1_000))
                            .mapToObj(sequence -> Entries.publish("p", 1, sequence))
                            .toArray(Entry[]::new));
        }
    }

    @Test
    void whatACommitPublishesIsRecentAfterIt() {
        apply(
                IntStream.range(0, 6)
                        .mapToObj(sequence -> Entries.heavy(new Claim("p", 1, sequence)))
                        .toArray(Entry[]::new));
        assertThat(history.state().steps().recent()).hasSize(6);
        assertThat(history.state().stepOf(new Claim("p", 1, 0))).contains(0L);

        apply(Entries.publish("p", 1, 6));
        assertThat(cut).as("each as small as may be").hasSize(5);
        assertThat(history.state().stepOf(new Claim("p", 1, 0))).isEmpty();
        assertThat(history.state().stepOf(new Claim("p", 1, 6))).contains(6L);
    }

    @Test
    void everyStepIsRecentOrInOneSegment() {
        State state = publishHeavy(0, 9);

        assertThat(state.steps().segments()).hasSize(7);
        for (long step = 0; step < 9; step++) {
            assertThat(state.steps().segment(step).isPresent()).isEqualTo(step < 7);
            assertThat(state.steps().recent(step).isPresent()).isEqualTo(step >= 7);
        }
        for (int i = 0; i < 7; i++) {
            assertThat(state.steps().segment(i)).contains(cut.get(i).ref());
            assertThat(cut.get(i).step(i).step()).isEqualTo(i);
        }
        assertThat(state.steps().recent(-1)).isEmpty();
        assertThat(state.steps().recent(9)).isEmpty();
        assertThat(state.steps().segment(-1)).isEmpty();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> state.step(5))
                .withMessageContaining("7 to 8");
    }

    @Test
    void receiptsAtTheEndsOfSegmentsAreKnown() {
        apply(Entries.publish("p", 1, 0));
        apply(Entries.heavy(new Claim("p", 1, 1)));
        State before = publishHeavy(2, 3);
        assertThat(before.steps().segments()).isEmpty();
        State state = publishHeavy(3, 4);

        assertThat(state.steps().segments()).singleElement().extracting("lastStep").isEqualTo(1L);
        assertThat(state.receiptBefore(0)).isEqualTo(before.receiptBefore(0)).isPresent();
        assertThat(state.receiptBefore(1)).as("inside of a segment").isEmpty();
        assertThat(state.receiptBefore(2)).contains(before.step(1).receipt());
        assertThat(state.receiptBefore(3)).contains(before.step(2).receipt());
        assertThat(state.receiptBefore(4)).contains(state.receipt());
    }

    @Test
    void totalsAreOfAllSteps() {
        State state = publishHeavy(0, 5);
        Totals totals = state.steps().totals();

        assertThat(totals.rows()).isEqualTo(5 * 6);
        assertThat(totals.bytes()).isEqualTo(5 * 128);
        assertThat(totals.counts()).hasSize(Totals.NAMES_MAX).contains(new Count("c0", 5));
    }

    @Test
    void totalsGoNoHigherThanNumbersGo() {
        GlobalBatch batch =
                new GlobalBatch(
                        0,
                        Entries.batch(1, 2).parts(),
                        List.of(new Count("n", Long.MAX_VALUE - 1)));
        Totals one = Totals.ZERO.plus(batch);

        assertThat(one.counts()).containsExactly(new Count("n", Long.MAX_VALUE - 1));
        assertThat(one.plus(batch).counts()).containsExactly(new Count("n", Long.MAX_VALUE));
    }

    @Test
    void namesOfCountsThatCameFirstAreSummedUp() {
        Totals first = Totals.ZERO.plus(Entries.heavy(new Claim("p", 1, 0)).batch());
        GlobalBatch other =
                new GlobalBatch(
                        0,
                        Entries.batch(1, 2).parts(),
                        List.of(new Count("c0", 2), new Count("other", 1)));

        assertThat(first.plus(other).counts())
                .contains(new Count("c0", 3))
                .noneMatch(count -> count.name().equals("other"));
        assertThat(Totals.ZERO.plus(other).plus(other).counts())
                .containsExactly(new Count("c0", 4), new Count("other", 2));
    }

    /** The policy's age is looked up in segments as a whole: more is kept, and none is read. */
    @Test
    @Tag("JOB-4")
    void segmentsWithOneYoungStepAreKeptAsAWhole() {
        apply(Entries.publish("p", 1, 0));
        publishHeavy(1, 4);
        apply(
                new AttachJob("j", Entries.id(7), 4, 1),
                new Entry.Alter(List.of(new KeepFor(10_000))));
        State state = history.state();
        Instant young = state.steps().segments().get(0).at();
        assertThat(state.steps().segments().get(0).lastStep()).isEqualTo(1);
        Duration kept = Duration.ofSeconds(10);

        assertThat(Retention.keptFrom(state, young.plus(kept).minusMillis(1))).isZero();
        assertThat(Retention.keptFrom(state, young.plus(kept))).isEqualTo(2);
        Instant recent = state.step(3).at().plus(kept);
        assertThat(Retention.keptFrom(state, recent.minusMillis(1))).isEqualTo(3);
        assertThat(Retention.keptFrom(state, recent)).isEqualTo(4);
    }

    @Test
    void aStateIsDueAfterSixteenCommits() {
        assertThat(history.state().saving()).isEqualTo(new Saving(-1, 0));
        for (int version = 2; version <= 40; version++) {
            apply(Entries.seal());
            assertThat(history.state().isDue()).isEqualTo(version == 15 || version == 31);
        }
        assertThat(history.state().saving().due()).isEqualTo(31);
    }

    @Test
    void aStateIsDueAfterAMebibyteThatCounts() {
        Publish heavy = Entries.heavy(new Claim("p", 1, 0));
        apply(heavy);
        assertThat(history.state().saving()).isEqualTo(new Saving(-1, Weights.of(heavy)));
        apply(heavy);
        assertThat(history.state().isDue()).as("a repeat weighs nothing").isFalse();

        State state = publishHeavy(1, 2);
        assertThat(state.isDue()).isTrue();
        assertThat(state.saving()).isEqualTo(new Saving(state.version(), 0));
    }

    @Test
    void stateOfAnotherIsTakenIfItCanBe() {
        State state = publishHeavy(0, 5);
        assertThat(state.checked()).isSameAs(state);
        Steps steps = state.steps();

        assertRefused(with(state, steps.totals(), steps.weight() + 1, 0, 0), "weigh");
        assertRefused(with(state, steps.totals(), steps.weight(), 1, 0), "lacks the segment");
        assertRefused(with(state, steps.totals(), steps.weight(), 0, 1), "receipt");
    }

    private static State with(State state, Totals totals, long weight, int noSegment, int noStep) {
        Steps steps = state.steps();
        return with(
                state,
                new Steps(
                        totals,
                        TreePVector.from(steps.segments().subList(noSegment, 3)),
                        TreePVector.from(steps.recent().subList(noStep, 2)),
                        weight),
                state.receipt(),
                state.version());
    }

    private static State with(State state, Steps steps, Bytes receipt, long version) {
        return new State(
                state.dataset(),
                version,
                state.time(),
                state.phase(),
                receipt,
                state.saving(),
                state.producers(),
                steps,
                state.kept(),
                state.settings(),
                state.jobs(),
                state.skips());
    }

    @Test
    void stateWhoseReceiptIsNotThatOfItsStepsIsRefused() {
        State state = publishHeavy(0, 5);
        Bytes other = Receipts.first("other");

        assertRefused(with(state, state.steps(), other, state.version()), "receipt");
        assertRefused(with(state, state.steps(), state.receipt(), -1), "version");
        assertRefused(with(state, state.steps(), state.receipt(), 2), "due since 5");
        State empty = History.of().state();
        assertThat(empty.checked()).isSameAs(empty);
        assertRefused(with(empty, empty.steps(), other, 0), "receipt");
    }

    private static void assertRefused(State state, String why) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(state::checked)
                .withMessageContaining(why);
    }

    @Test
    void segmentIsTheOneThatTheStateNames() {
        publishHeavy(0, 5);
        Segment first = cut.get(0);
        Segment second = cut.get(1);
        Bytes start = history.state().receiptBefore(0).orElseThrow();
        first.check(first.ref(), start);
        second.check(second.ref(), first.ref().receipt());

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> second.check(second.ref(), start));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> first.check(second.ref(), start));
        SegmentRef longer = new SegmentRef(0, 1, second.ref().at(), 256, second.ref().receipt());
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> first.check(longer, start))
                .withMessageContaining("ends at step 0");
    }
}
