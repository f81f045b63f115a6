package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.state.History;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.ObjectStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Appending, while the store's answers get lost, come late, or are about ourselves. */
@Tag("STORE-1")
@Tag("LOG-3")
class LogDoubtTest {
    private static final List<Entry> FIRST = List.of(Entries.publish("p", 1, 0));

    private final Stage stage = new Stage();
    private final Log log = stage.create();

    @BeforeEach
    void open() {
        log.append(List.of(Entries.opening("p", 1)));
        stage.forgetRequests();
    }

    /** Each claim is in once, in one commit, and our State is the truth. */
    @AfterEach
    void everyClaimIsInOnce() {
        stage.applyLate();
        long published =
                stage.commits().stream()
                        .flatMap(commit -> commit.entries().stream())
                        .filter(FIRST::contains)
                        .count();
        assertThat(published).isEqualTo(1);
        assertThat(stage.truth().stepOf(new Claim("p", 1, 0))).contains(0L);
        assertThat(log.catchUp()).isEqualTo(stage.truth());
    }

    @Test
    void lostAnswerIsFoundToBeOurs() {
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);

        assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
        assertThat(stage.creates()).isEqualTo(1);
        assertThat(stage.reads()).isEqualTo(1);
        assertThat(stage.clock.pauses()).isEmpty();
    }

    @Test
    void lostRequestIsMadeAgainAtTheSameVersion() {
        stage.next(Kind.CREATE, Fault.REQUEST_LOST, Fault.REQUEST_LOST);

        assertThat(log.append(FIRST).version()).isEqualTo(2);
        assertThat(stage.creates()).isEqualTo(3);
        assertThat(stage.clock.pauses()).as("between offers").hasSize(2);
    }

    @Test
    @Tag("LOG-1")
    void everyOfferHasTheSameBytes() {
        List<ByteBuffer> offered = new ArrayList<>();
        Log recorded =
                Log.open(recording(offered), Stage.NAME, stage.clock.world(7), LogLimits.DEFAULT);
        stage.next(Kind.CREATE, Fault.REQUEST_LOST, Fault.REQUEST_LOST);
        stage.before(Kind.CREATE, () -> stage.clock.move(Duration.ofSeconds(1)));
        stage.before(Kind.CREATE, () -> stage.rivalAppends(Entries.opening("q", 1)));

        recorded.append(FIRST);

        assertThat(offered).hasSizeGreaterThan(2).allMatch(offered.get(0)::equals);
    }

    @Test
    @Tag("STORE-2")
    void refusalByOurselvesIsFoundToBeOurs() {
        stage.next(Kind.CREATE, Fault.TWICE);

        assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
        assertThat(stage.creates()).isEqualTo(1);
        assertThat(stage.reads()).isEqualTo(1);
    }

    @Test
    void lateRequestThatOvertakesTheSecondIsFoundToBeOurs() {
        stage.next(Kind.CREATE, Fault.LATE);
        stage.before(Kind.CREATE, () -> {}).before(Kind.CREATE, stage::applyLate);

        assertThat(log.append(FIRST).version()).isEqualTo(2);
        assertThat(stage.creates()).isEqualTo(2);
    }

    @Test
    void lateRequestThatArrivesAfterTheSecondIsRefused() {
        stage.next(Kind.CREATE, Fault.LATE);

        assertThat(log.append(FIRST).version()).isEqualTo(2);
        assertThat(stage.creates()).isEqualTo(2);
    }

    @Test
    void lateRequestThatArrivesWhileWePauseIsFoundToBeOurs() {
        stage.next(Kind.CREATE, Fault.LATE);
        stage.clock.whilePausing(pause -> stage.applyLate());

        assertThat(log.append(FIRST).version()).isEqualTo(2);
        assertThat(stage.creates()).isEqualTo(1);
    }

    /** Steps 1 to 3 of a race: we offer, a rival takes the version, our request arrives. */
    @Test
    void lateRequestThatArrivesWhenWeHaveMovedOnIsRefused() {
        stage.next(Kind.CREATE, Fault.LATE);
        stage.before(Kind.READ, () -> stage.rivalAppends(Entries.opening("q", 1)));

        State state = log.append(FIRST);

        assertThat(state.version()).isEqualTo(3);
        assertThat(state.producer("q").orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void ourCommitIsFoundBehindThoseOfARival() {
        stage.before(Kind.CREATE, () -> stage.rivalAppends(Entries.opening("q", 1)));
        stage.next(Kind.CREATE, Fault.NONE, Fault.ANSWER_LOST);

        assertThat(log.append(FIRST).version()).isEqualTo(3);
        assertThat(stage.creates()).isEqualTo(2);
    }

    @Test
    void appendThatNobodyConfirmsEndsInTimeAndCanBeRepeated() {
        stage.always(Kind.CREATE, Fault.REQUEST_LOST);

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withMessageMatching(
                        "Cannot append to the log of train\\.pretrain in memory:///: the commit was"
                                + " not confirmed within 60 s, after \\d+ offers; it may still arrive,"
                                + " so do the same again and delete nothing")
                .withCauseInstanceOf(IOException.class);
        assertThat(Duration.between(History.START, stage.clock.instant()))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
        assertThat(stage.creates()).as("offers at growing intervals").isBetween(60L, 250L);

        stage.always(Kind.CREATE, Fault.NONE);
        assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
    }

    @Test
    void appendThatWasGivenUpAndArrivedLateIsInOnce() {
        stage.always(Kind.CREATE, Fault.REQUEST_LOST).next(Kind.CREATE, Fault.LATE);
        assertThatExceptionOfType(CommitUnknownException.class).isThrownBy(() -> log.append(FIRST));
        stage.always(Kind.CREATE, Fault.NONE);
        stage.applyLate();
        stage.forgetRequests();

        assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
        assertThat(stage.creates()).as("it looked first").isZero();
    }

    /** A log that grows as fast as it is read must not keep an append for ever. */
    @Test
    void catchingUpEndsInTimeToo() {
        for (int i = 0; i < 30; i++) {
            int id = i;
            stage.before(
                    Kind.READ,
                    () -> {
                        stage.rivalAppends(Entries.opening("q", id));
                        stage.clock.move(Duration.ofSeconds(6));
                    });
        }
        stage.rivalAppends(Entries.opening("q", 999));

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withMessageContaining("after 1 offers");
        assertThat(stage.reads()).isEqualTo(10);
        assertThat(stage.creates()).isEqualTo(1);

        stage.forgetPlans();
        log.append(FIRST);
    }

    @Test
    void storeThatFailsAfterAnOfferLeavesItUnknown() {
        stage.next(Kind.CREATE, Fault.ANSWER_LOST).next(Kind.READ, Fault.UNAVAILABLE);

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withMessageContaining("not confirmed because the store failed, after 1 offers")
                .withCauseInstanceOf(UnavailableException.class);
        assertThat(log.state().nextStep()).isZero();
        assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
    }

    @Test
    void storeThatTakesNoSecondOfferLeavesTheFirstUnknown() {
        stage.next(Kind.CREATE, Fault.LATE, Fault.UNAVAILABLE);

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(FIRST))
                .withCauseInstanceOf(UnavailableException.class);
    }

    @Test
    void interruptEndsTheOffersAndIsKept() {
        stage.always(Kind.CREATE, Fault.REQUEST_LOST);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(CommitUnknownException.class)
                    .isThrownBy(() -> log.append(FIRST))
                    .withMessageContaining("before the thread was interrupted, after 1 offers");
        } finally {
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        }
        stage.always(Kind.CREATE, Fault.NONE);
        log.append(FIRST);
    }

    @Test
    void interruptedThreadMayStillMakeAnOfferThatIsConfirmed() {
        Thread.currentThread().interrupt();
        try {
            assertThat(log.append(FIRST).nextStep()).isEqualTo(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** Our way to the store, on which every body that is offered is kept. */
    private ObjectStore recording(List<ByteBuffer> offered) {
        return (ObjectStore)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ObjectStore.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("create")) {
                                ByteBuffer body = (ByteBuffer) arguments[1];
                                offered.add(
                                        ByteBuffer.allocate(body.remaining())
                                                .put(body.duplicate())
                                                .flip());
                            }
                            try {
                                return method.invoke(stage.store(), arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
