package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.StateCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Layout;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Fetched;
import io.batchweave.store.Listing.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** States are saved now and then, opening starts at one, and old steps are looked up. */
@Tag("LOG-11")
class SavedStateTest {
    private static final Layout LAYOUT = new Layout(Stage.NAME);

    private final Stage stage = new Stage();
    private final Log log = stage.create();
    private final List<StepRecord> truth = new ArrayList<>();

    /** Appends as a producer does, with so much that nearly every step is cut off. */
    private void publish(Log log, int from, int to) {
        if (from == 0) {
            log.append(List.of(Entries.opening("p", 1)));
        }
        for (int sequence = from; sequence < to; sequence++) {
            State state = log.append(List.of(Entries.heavy(new Claim("p", 1, sequence))));
            truth.add(state.step(state.nextStep() - 1));
            log.saveIfDue();
        }
    }

    private List<String> keys(String folder) {
        return stage.memory.list(folder, "").objects().stream().map(Item::key).toList();
    }

    private List<String> states() {
        return keys(LAYOUT.states());
    }

    private List<String> segments() {
        return keys(LAYOUT.root() + "/segments/00000000000000000000");
    }

    @Test
    void everySixteenthCommitIsFollowedByASavedState() {
        for (int i = 1; i <= 40; i++) {
            log.append(List.of(Entries.opening("p" + i, i)));
            log.saveIfDue();
        }
        assertThat(states()).containsExactly(LAYOUT.state(15), LAYOUT.state(31));
    }

    @Test
    void openingReadsFromTheNewestStateOn() {
        publish(log, 0, 9);
        assertThat(states()).last().isEqualTo(LAYOUT.state(9));

        Log other = stage.open();
        stage.memory.delete(List.of(stage.key(3)));
        Log third = stage.open();

        assertThat(other.state()).isEqualTo(log.state());
        assertThat(third.state()).as("without what lies before it").isEqualTo(log.state());
    }

    @Test
    void openingCostsTheSameHoweverOldTheDatasetIs() {
        publish(log, 0, 10);
        stage.forgetRequests();
        Log.open(stage.store(), Stage.NAME, stage.clock.world(50), LogLimits.DEFAULT);
        long young = stage.reads();
        publish(log, 10, 60);
        stage.forgetRequests();
        Log.open(stage.store(), Stage.NAME, stage.clock.world(51), LogLimits.DEFAULT);

        assertThat(stage.reads()).isEqualTo(young).isLessThanOrEqualTo(3);
    }

    @Test
    void everyStepIsFoundByWhoeverAsks() {
        publish(log, 0, 12);
        Log other = stage.open();

        assertThat(segments()).hasSizeGreaterThan(5);
        for (Log each : List.of(log, other)) {
            for (int step = 0; step < 12; step++) {
                assertThat(each.step(step)).isEqualTo(truth.get(step));
                assertThat(each.receiptBefore(step + 1)).isEqualTo(truth.get(step).receipt());
                assertThat(each.stepOf(new Claim("p", 1, step))).contains((long) step);
            }
            for (int step = 0; step <= 12; step++) {
                assertThat(each.bytesFrom(step)).isEqualTo((12 - step) * 128L);
            }
            assertThat(each.receiptBefore(0)).isEqualTo(stage.truth().receiptBefore(0).get());
            assertThat(each.stepOf(new Claim("p", 1, 12))).isEmpty();
            assertThat(each.stepOf(new Claim("p", 2, 0))).isEmpty();
        }
    }

    @Test
    void anOldStepTakesOneRequestAndItsNeighboursNone() {
        publish(log, 0, 6);
        Log other = stage.open();
        stage.forgetRequests();

        other.step(2);
        assertThat(stage.reads()).isEqualTo(1);
        other.step(2);
        other.receiptBefore(3);
        other.receiptBefore(2);
        assertThat(stage.reads()).isEqualTo(1);
    }

    @Test
    void whoSleptLeapsOverWhatCameMeanwhile() {
        Log sleeper = stage.open();
        publish(log, 0, 200);
        stage.forgetRequests();

        assertThat(sleeper.catchUp()).isEqualTo(log.state());
        assertThat(stage.reads()).isLessThan(20);
    }

    /** A producer that publishes once in an hour does not read what others published in it. */
    @Test
    void writerThatSleptLeapsToo() {
        Log sleeper = stage.open();
        sleeper.append(List.of(Entries.opening("q", 9)));
        stage.rivalAppends(Entries.opening("p", 1));
        Log rival = stage.rival();
        for (int sequence = 0; sequence < 200; sequence++) {
            rival.append(List.of(Entries.heavy(new Claim("p", 2, sequence))));
            rival.saveIfDue();
        }
        stage.forgetRequests();

        State state = sleeper.append(List.of(Entries.publish("q", 1, 0)));

        assertThat(state.version()).isEqualTo(203);
        assertThat(stage.reads()).isLessThan(20);
        assertThat(stage.creates()).isEqualTo(2);
    }

    @Test
    @Tag("LOG-3")
    void writerWhoseOfferIsInDoubtLooksForItOneByOne() {
        log.append(List.of(Entries.opening("q", 9)));
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(
                Kind.READ,
                () -> {
                    stage.rivalAppends(Entries.opening("q", 10), Entries.opening("p", 1));
                    Log rival = stage.rival();
                    for (int sequence = 0; sequence < 60; sequence++) {
                        rival.append(List.of(Entries.heavy(new Claim("p", 3, sequence))));
                        rival.saveIfDue();
                    }
                });

        State state = log.append(List.of(Entries.publish("q", 1, 0)));

        assertThat(state.version()).as("where it was in, before it was fenced").isEqualTo(2);
    }

    @Test
    void endOfSomeWorkIsSavedIfManyCommitsCameSinceTheLastState() {
        publish(log, 0, 3);
        List<String> before = states();
        log.append(List.of(Entries.opening("q", 1)));
        log.saveAtEnd();
        assertThat(states()).as("one commit is quickly read").isEqualTo(before);

        log.append(List.of(Entries.opening("r", 1)));
        log.append(List.of(Entries.opening("s", 1)));
        log.saveAtEnd();
        assertThat(states()).last().isEqualTo(LAYOUT.state(log.state().version()));
    }

    /** Whoever cut a segment has its steps, saved or not, and whatever the store says. */
    @Test
    void stepsThatNobodySavedAreKept() {
        log.append(List.of(Entries.opening("p", 1)));
        for (int sequence = 0; sequence < 8; sequence++) {
            log.append(List.of(Entries.heavy(new Claim("p", 1, sequence))));
        }
        assertThat(segments()).isEmpty();

        stage.forgetRequests();
        for (int step = 0; step < 8; step++) {
            assertThat(log.step(step).claim().sequence()).isEqualTo(step);
        }
        assertThat(stage.reads()).isZero();
    }

    @Test
    void whoHoldsManySegmentsSavesThem() {
        Log rival = stage.rival();
        rival.append(List.of(Entries.opening("p", 1)));
        for (int sequence = 0; sequence < 6; sequence++) {
            rival.append(List.of(Entries.heavy(new Claim("p", 1, sequence))));
        }
        log.catchUp();
        log.saveIfDue();
        assertThat(states()).as("they are few").isEmpty();

        rival.append(List.of(Entries.heavy(new Claim("p", 1, 6))));
        log.catchUp();
        log.saveIfDue();
        assertThat(states()).containsExactly(LAYOUT.state(8));
        assertThat(segments()).hasSize(5);
        stage.forgetRequests();
        log.step(0);
        assertThat(stage.reads()).as("it is let go").isEqualTo(1);
    }

    @Test
    void whoComesLaterWritesNothing() {
        publish(log, 0, 5);
        Log reader = stage.rival();
        publish(log, 5, 6);
        List<String> before = states();
        long creates = stage.creates();
        reader.catchUp();
        reader.saveIfDue();

        assertThat(states()).isEqualTo(before);
        assertThat(stage.creates()).isEqualTo(creates);
    }

    @Test
    void ofManyStatesTheNewestAreLeft() {
        publish(log, 0, 21);

        assertThat(states()).hasSize(3).last().isEqualTo(LAYOUT.state(21));
        assertThat(segments()).hasSize(18);
    }

    @Test
    void statesThatOneWhoWasKilledHasLeftGoWhenTheNextOneLooks() {
        Log other = stage.rival();
        publish(log, 0, 9);
        stage.next(Kind.DELETE, Fault.REQUEST_LOST);
        publish(log, 9, 10);
        assertThat(states()).hasSize(4);

        other.catchUp();
        other.saveIfDue();

        assertThat(states()).hasSize(3).last().isEqualTo(LAYOUT.state(11));
    }

    @Test
    void stateThatIsNotConfirmedIsSavedLater() {
        publish(log, 0, 2);
        List<String> before = states();
        log.append(List.of(Entries.heavy(new Claim("p", 1, 2))));
        log.append(List.of(Entries.heavy(new Claim("p", 1, 3))));
        stage.next(Kind.CREATE, Fault.REQUEST_LOST);
        log.saveIfDue();
        assertThat(states()).isEqualTo(before);
        log.step(0);

        publish(log, 4, 6);
        assertThat(states()).last().isEqualTo(LAYOUT.state(7));
        assertThat(stage.open().step(1).claim()).isEqualTo(new Claim("p", 1, 1));
    }

    @Test
    void lostAnswersAreLookedThrough() {
        publish(log, 0, 1);
        log.append(List.of(Entries.heavy(new Claim("p", 1, 1))));
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        log.saveIfDue();

        assertThat(states()).containsExactly(LAYOUT.state(3));
    }

    /** A State is there only if its segments are. */
    @Test
    void segmentsAreSavedBeforeTheStateThatNamesThem() {
        publish(log, 0, 3);
        log.append(List.of(Entries.heavy(new Claim("p", 1, 3))));
        stage.next(Kind.CREATE, Fault.UNAVAILABLE);
        List<String> before = states();
        log.saveIfDue();

        assertThat(states()).isEqualTo(before);
    }

    @Test
    @Tag("STORE-2")
    void anotherObjectInItsPlaceIsNotTakenForIt() {
        publish(log, 0, 3);
        State state = log.append(List.of(Entries.heavy(new Claim("p", 1, 3))));
        String key = LAYOUT.segment(1, 1);
        stage.memory.create(key, StateCodec.encode(state).orElseThrow());
        log.saveIfDue();

        assertThat(states()).last().isEqualTo(LAYOUT.state(3));
        assertThat(log.step(1)).as("it is still held").isEqualTo(truth.get(1));
    }

    @Test
    void damagedOrLostSegmentIsSaidSo() {
        publish(log, 0, 8);
        Log other = stage.open();
        String key = LAYOUT.segment(2, 2);
        Fetched.Found found = (Fetched.Found) stage.memory.read(key, 1 << 20);
        stage.memory.delete(List.of(key));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> other.step(2))
                .withMessageContaining(key)
                .withMessageContaining("a State names it");

        stage.memory.delete(List.of(LAYOUT.segment(3, 3)));
        stage.memory.create(LAYOUT.segment(3, 3), found.body());
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> other.step(3))
                .withMessageContaining(LAYOUT.segment(3, 3));
    }

    @Test
    void stateUnderAnotherVersionIsNotTaken() {
        publish(log, 0, 3);
        stage.memory.create(LAYOUT.state(99), StateCodec.encode(log.state()).orElseThrow());

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(stage::open)
                .withMessageContaining(LAYOUT.state(99))
                .withMessageContaining("the State of version 4");
    }

    @Test
    void stateThatIsDeletedWhileItIsLookedForIsNotMissed() {
        publish(log, 0, 4);
        String newest = states().get(states().size() - 1);
        stage.before(
                Kind.READ,
                () -> {
                    publish(log, 4, 6);
                    stage.memory.delete(List.of(newest));
                });

        assertThat(stage.open().state()).isEqualTo(log.state());
    }

    @Test
    void stateThatAlwaysGoesAwayIsNotLookedForForEver() {
        publish(log, 0, 4);
        Optional<State> none = Optional.empty();
        assertThat(new SavedStates(stage.memory, LAYOUT).newerThan(99)).isEqualTo(none);
        stage.always(Kind.READ, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(stage::open);
    }

    @Test
    void foreignNamesAmongStatesDoNotCount() {
        publish(log, 0, 3);
        stage.memory.create(LAYOUT.states() + "/zebra", StateCodec.encode(log.state()).get());

        assertThat(stage.open().state()).isEqualTo(log.state());
    }
}
