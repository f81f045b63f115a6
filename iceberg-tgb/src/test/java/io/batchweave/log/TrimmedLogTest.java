package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.NewerCommits;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Timekeeper;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever slept while the log was trimmed is told, and takes nothing for first that is not. */
@Tag("TRIM-1")
@Tag("TRIM-4")
@Tag("TRIM-5")
@Tag("TRIM-6")
class TrimmedLogTest {
    private static final List<Entry> OURS = List.of(Entries.publish("p", 1, 0));
    private static final ByteBuffer GARBAGE = ByteBuffer.allocate(100);
    private static final Claim CLAIM = new Claim("p", 1, 0);

    private Stage stage;
    private Trimming trimming;
    private Log log;

    private void start(Timekeeper timekeeper) {
        stage = new Stage(timekeeper);
        trimming = new Trimming(stage);
        log = stage.create();
        log.append(List.of(Entries.opening("p", 1)));
        stage.forgetRequests();
    }

    private void othersTrim() {
        trimming.growTo(70);
        trimming.trim();
        assertThat(trimming.commits()).hasSize(7).first().isEqualTo(stage.key(64));
    }

    @ParameterizedTest
    @EnumSource
    void writerThatSleptDoesNotBelieveItsOwnRebornCommit(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();

        State state = log.append(OURS);

        assertThat(stage.memory.list("train/pretrain/log/00000000000000000000", "").objects())
                .as("the store did create it at version 2")
                .hasSize(9);
        assertThat(state.version()).isEqualTo(71);
        assertThat(log.catchUp()).isEqualTo(stage.truth());
        assertThat(stage.truth().stepOf(CLAIM)).contains(0L);
        assertThat(
                        stage.commits().stream()
                                .flatMap(each -> each.entries().stream())
                                .filter(OURS::contains))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void readerThatSleptDoesNotApplyWhatWasReborn(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        trimming.bringBack(2, Entries.publish("p", 1, 0));
        trimming.bringBack(3, Entries.seal());

        assertThat(log.catchUp()).isEqualTo(stage.truth());
        assertThat(log.state().nextStep()).isZero();
        assertThat(stage.open().state()).isEqualTo(log.state());
    }

    @ParameterizedTest
    @EnumSource
    void readerThatSleptFindsThatTheEndItFindsIsNone(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();

        assertThat(log.awaitNews(1, stage.deadline(Duration.ofSeconds(1)))).isTrue();
        assertThat(log.state()).isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource
    void commitWhoseAnswerIsLostIsFoundBehindTheBoundary(Timekeeper timekeeper) {
        start(timekeeper);
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(Kind.READ, this::othersTrim);

        State state = log.append(OURS);

        assertThat(state.stepOf(CLAIM)).contains(0L);
        assertThat(stage.truth().nextStep()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("TRIM-2")
    void fencedWriterThatSleptCannotTellWhetherItsCommitIsIn(Timekeeper timekeeper) {
        start(timekeeper);
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(
                Kind.READ,
                () -> {
                    stage.rivalAppends(Entries.opening("p", 2));
                    othersTrim();
                });

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(OURS))
                .withMessageContaining("the log was trimmed past it")
                .withMessageContaining("epoch 1 was replaced by epoch 3");
        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> log.append(OURS));
        assertThat(stage.truth().producer("p").orElseThrow().nextSequence()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void writerIsNotRefusedByWhatWasReborn(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        trimming.bringBack(2, Entries.seal());

        assertThat(log.append(OURS).stepOf(CLAIM)).contains(0L);
    }

    @ParameterizedTest
    @EnumSource
    void writerIsNotStoppedByDamageThatWasReborn(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        stage.overwrite(2, GARBAGE.duplicate());

        assertThat(log.append(OURS).stepOf(CLAIM)).contains(0L);
        assertThat(log.state()).isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource
    void writerIsNotStoppedByWhatNewerSoftwareBroughtBack(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        stage.overwrite(2, NewerCommits.ofUnknownKind());

        assertThat(log.append(OURS).stepOf(CLAIM)).contains(0L);
        assertThat(log.state()).isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("TRIM-2")
    void fencedWriterThatFindsRebornDamageCannotTellWhetherItsCommitIsIn(Timekeeper timekeeper) {
        start(timekeeper);
        stage.next(Kind.CREATE, Fault.ANSWER_LOST);
        stage.before(
                Kind.READ,
                () -> {
                    stage.rivalAppends(Entries.opening("p", 2));
                    othersTrim();
                    stage.overwrite(2, GARBAGE.duplicate());
                });

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> log.append(OURS))
                .withMessageContaining("the log was trimmed past it");
    }

    /** Nobody has trimmed, so it is the log that is damaged; the second try knows it too. */
    @ParameterizedTest
    @EnumSource
    void writerIsStoppedByDamageThatWasNotReborn(Timekeeper timekeeper) {
        start(timekeeper);
        trimming.growTo(10);
        stage.overwrite(5, GARBAGE.duplicate());

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CorruptException.class).isThrownBy(() -> log.append(OURS));
        }
        assertThat(log.state().version()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("TRIM-9")
    void datasetWhoseBeginningIsTrimmedIsThere(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        trimming.bringBack(0, Entries.dataset("p"));

        assertThat(stage.open().state()).isEqualTo(stage.truth());
        assertThat(stage.create().state()).as("created again").isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("TRIM-9")
    void whoLookedForStatesTooEarlyLooksAgain(Timekeeper timekeeper) {
        start(timekeeper);
        trimming.growTo(14);
        assertThat(stage.memory.list("train/pretrain/state", "").objects()).isEmpty();
        stage.before(Kind.READ, this::othersTrim);

        assertThat(stage.open().state()).isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource
    void lostStateBehindABoundaryIsDamage(Timekeeper timekeeper) {
        start(timekeeper);
        othersTrim();
        stage.memory.list("train/pretrain/state", "").objects().stream()
                .map(item -> List.of(item.key()))
                .forEach(stage.memory::delete);

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(log::catchUp)
                .withMessageContaining("commits are trimmed, and no State after version 1");
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(stage::open)
                .withMessageContaining("commits are trimmed, and no State");
    }

    @Test
    @Tag("TRIM-7")
    void whoTrustsTheStoresClockAsksOnceAnHour() {
        start(Timekeeper.STORE);
        for (int sequence = 0; sequence < 10; sequence++) {
            log.append(List.of(Entries.publish("p", 1, sequence)));
            stage.storeClock.move(Duration.ofMinutes(15));
        }
        assertThat(stage.lists()).isZero();
        assertThat(stage.creates()).isEqualTo(10);

        stage.storeClock.move(Duration.ofMinutes(15));
        log.append(List.of(Entries.publish("p", 1, 10)));
        assertThat(stage.lists()).isEqualTo(1);
    }

    @Test
    @Tag("TRIM-7")
    void whoOnlyReadsAsksOnceAnHourToo() {
        start(Timekeeper.STORE);
        Log rival = stage.rival();
        for (int sequence = 0; sequence < 10; sequence++) {
            rival.append(List.of(Entries.publish("p", 1, sequence)));
            stage.storeClock.move(Duration.ofMinutes(30));
            assertThat(log.catchUp().nextStep()).isEqualTo(sequence + 1);
        }
        assertThat(stage.lists()).isZero();
        stage.storeClock.move(Duration.ofMinutes(50));
        log.catchUp();
        assertThat(stage.lists()).isEqualTo(1);
    }

    @Test
    @Tag("TRIM-7")
    void whereTheStoreTellsNoTimeEveryRunIsAskedFor() {
        start(Timekeeper.CALLER);
        trimming.growTo(10);
        log.catchUp();
        assertThat(stage.lists()).isEqualTo(1);
        log.append(OURS);
        assertThat(stage.lists()).isEqualTo(2);
    }

    @Test
    void whatIsNotConfirmedIsNotShown() {
        start(Timekeeper.CALLER);
        trimming.growTo(10);
        stage.next(Kind.LIST, Fault.UNAVAILABLE, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::catchUp);
        assertThat(log.state().version()).isEqualTo(1);
        assertThatExceptionOfType(CommitUnknownException.class).isThrownBy(() -> log.append(OURS));
        assertThat(log.state().version()).isEqualTo(1);
        assertThat(log.append(OURS).stepOf(CLAIM)).contains(0L);
        assertThat(stage.creates()).isEqualTo(1);
    }
}
