package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may append, and what became of it when it turns out that one may not any more. */
@Tag("LOG-6")
class LogFenceTest {
    private static final List<Entry> FIRST = List.of(Entries.publish("p", 1, 0));

    private final Stage stage = new Stage();
    private final Log log = stage.create();

    @BeforeEach
    void open() {
        log.append(List.of(Entries.opening("p", 1)));
        stage.forgetRequests();
    }

    @Test
    void fencedAppendSaysByWhom() {
        stage.rivalAppends(Entries.opening("p", 2));

        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withMessage(
                        "Cannot append to the log of train.pretrain in memory:/// at version 3:"
                                + " producer p epoch 1 was replaced by epoch 2");
        assertThat(stage.creates()).isEqualTo(1);
        assertThat(stage.commits()).hasSize(3);
    }

    @Test
    void fencedAppendIsNotOffered() {
        stage.rivalAppends(Entries.opening("p", 2));
        log.catchUp();

        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> log.append(FIRST));
        assertThat(stage.creates()).isZero();
    }

    /** What was in before the fence was in, though we learn of both at once. */
    @Test
    void whatWasInBeforeTheFenceIsAcknowledged() {
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(Kind.READ, () -> stage.rivalAppends(Entries.opening("p", 2)));

        State state = log.append(FIRST);

        assertThat(state.version()).as("not beyond our own commit").isEqualTo(2);
        assertThat(state.stepOf(new Claim("p", 1, 0))).contains(0L);
        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> log.append(List.of(Entries.publish("p", 1, 1))));
    }

    @Test
    void whatWasInBeforeTheFenceIsAcknowledgedToARetry() {
        stage.next(Kind.CREATE, Fault.ANSWER_LOST).next(Kind.READ, Fault.UNAVAILABLE);
        assertThatExceptionOfType(CommitUnknownException.class).isThrownBy(() -> log.append(FIRST));
        stage.rivalAppends(Entries.opening("p", 2));

        assertThat(log.append(FIRST).stepOf(new Claim("p", 1, 0))).contains(0L);
    }

    @Test
    void lateRequestOfAFencedProducerIsWithoutEffect() {
        stage.next(Kind.CREATE, Fault.LATE);
        stage.before(Kind.READ, () -> stage.rivalAppends(Entries.opening("p", 2)));

        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> log.append(FIRST));
        stage.applyLate();

        assertThat(stage.truth().nextStep()).isZero();
        assertThat(stage.truth().version()).isEqualTo(2);
    }

    @Test
    void openingThatWasInBeforeAnotherIsAcknowledged() {
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(Kind.READ, () -> stage.rivalAppends(Entries.opening("q", 2)));

        State state = log.append(List.of(Entries.opening("q", 1)));

        assertThat(state.producer("q").orElseThrow().openingId()).isEqualTo(Entries.id(1));
        assertThat(state.producer("q").orElseThrow().epoch()).isEqualTo(2);
        assertThat(log.catchUp().producer("q").orElseThrow().epoch()).isEqualTo(3);
    }

    @Test
    void openingIsRepeatedUnderItsIdWithoutANewEpoch() {
        List<Entry> opening = List.of(Entries.opening("q", 1));
        long epoch = log.append(opening).producer("q").orElseThrow().epoch();

        assertThat(log.append(opening).producer("q").orElseThrow().epoch()).isEqualTo(epoch);
        assertThat(stage.commits()).hasSize(3);
    }

    @Test
    void openingsThatRaceGetTwoEpochsAndOneOfThemIsFenced() {
        stage.before(Kind.CREATE, () -> stage.rivalAppends(Entries.opening("q", 1)));

        State state = log.append(List.of(Entries.opening("q", 2)));

        assertThat(state.producer("q").orElseThrow().epoch()).isEqualTo(3);
        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> stage.rivalAppends(Entries.publish("q", 2, 0)));
    }

    /** Our State is of yesterday; what does not fit it fits the log as it is. */
    @Test
    void claimOfAnEpochThatWeHaveNotSeenIsLookedFor() {
        stage.rivalAppends(Entries.opening("q", 1));

        State state = log.append(List.of(Entries.publish("q", 2, 0)));

        assertThat(state.stepOf(new Claim("q", 2, 0))).contains(0L);
    }

    @Test
    void claimBehindOneThatWeHaveNotSeenIsLookedFor() {
        stage.rivalAppends(Entries.publish("p", 1, 0));

        assertThat(log.append(List.of(Entries.publish("p", 1, 1))).nextStep()).isEqualTo(2);
    }

    @Test
    void claimThatARivalCarriedIsIn() {
        stage.rivalAppends(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1));
        stage.forgetRequests();

        State state = log.append(List.of(Entries.publish("p", 1, 1)));

        assertThat(state.nextStep()).isEqualTo(2);
        assertThat(stage.creates()).isZero();
    }

    @Test
    @Tag("APPLY-8")
    void conditionOfASealIsJudgedOnTheLogAsItIs() {
        stage.rivalAppends(Entries.finish("p", 1, 0));

        assertThat(log.append(List.of(Entries.sealIfAllFinished())).phase())
                .isEqualTo(State.Phase.SEALED);
    }

    @Test
    @Tag("APPLY-8")
    void sealWhoseConditionDoesNotHoldIsRefused() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> log.append(List.of(Entries.sealIfAllFinished())))
                .withMessageEndingWith("at version 2: not finished: producer p");
        assertThat(stage.creates()).isZero();
    }

    @Test
    void sealedDatasetTakesNothing() {
        stage.rivalAppends(Entries.seal());

        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withMessageEndingWith("at version 3: the dataset was sealed after 0 steps");
        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> log.append(List.of(Entries.opening("q", 1))));
        assertThat(log.append(List.of(Entries.seal())).version())
                .as("a seal that is in is in")
                .isEqualTo(2);
    }

    @Test
    void undeclaredProducerIsTurnedAway() {
        Stage other = new Stage();
        Log declared = other.create("p");

        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> declared.append(List.of(Entries.opening("q", 1))))
                .withMessageEndingWith("the dataset declares the producers p and no q");
        assertThat(other.creates()).isZero();
    }

    /** There was no time to look whether the log is of another opinion. */
    @Test
    void lossThatCouldNotBeCheckedInTimeIsUnknown() {
        stage.before(Kind.CREATE, () -> stage.rivalAppends(Entries.opening("p", 2)));
        stage.before(Kind.READ, () -> stage.clock.move(LogLimits.DEFAULT.append()));

        assertThatExceptionOfType(CommitUnknownException.class).isThrownBy(() -> log.append(FIRST));
        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> log.append(FIRST));
    }
}
