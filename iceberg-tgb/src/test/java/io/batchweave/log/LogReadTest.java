package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.CommitCodec;
import io.batchweave.codec.NewerCommits;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Feature;
import io.batchweave.model.Feature.RequiredOf;
import io.batchweave.model.Layout;
import io.batchweave.state.History;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading a log, whole or broken, and the times it names. */
class LogReadTest {
    private final Stage stage = new Stage();
    private final Log log = stage.create();

    @Test
    @Tag("LOG-4")
    void everyReaderComesToTheSameState() {
        log.append(List.of(Entries.opening("p", 1)));
        log.append(List.of(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1)));
        log.append(List.of(Entries.finish("p", 1, 2), Entries.seal()));

        State state = stage.open().state();

        assertThat(state).isEqualTo(log.state());
        assertThat(state.version()).isEqualTo(3);
        assertThat(state.phase()).isEqualTo(State.Phase.SEALED);
    }

    @Test
    void datasetThatDoesNotExistIsSaidSo() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(new Stage()::open)
                .withMessage(
                        "Cannot open dataset train.pretrain in memory:///: there is none; create it,"
                                + " or check the name and the warehouse");
    }

    @Test
    void stateCostsNothingAndDoesNotMove() {
        State before = log.state();
        stage.rivalAppends(Entries.opening("p", 1));

        assertThat(log.state()).isSameAs(before);
        assertThat(stage.reads()).isZero();
        assertThat(log.catchUp().version()).isEqualTo(1);
    }

    @Test
    @Tag("LOG-2")
    void catchingUpReadsEveryVersionOnce() {
        for (int i = 0; i < 4; i++) {
            stage.rivalAppends(Entries.opening("p", i));
        }

        assertThat(log.catchUp()).isEqualTo(stage.truth());
        assertThat(stage.reads()).as("four commits and the absent fifth").isEqualTo(5);
    }

    @Test
    void commitOfAVersionIsReadAsItWasWritten() {
        log.append(List.of(Entries.opening("p", 1)));

        assertThat(log.read(1)).map(Commit::entries).contains(List.of(Entries.opening("p", 1)));
        assertThat(log.read(2)).isEmpty();
        assertThat(log.state().version()).isEqualTo(1);
    }

    @Test
    void corruptCommitStopsReadersBeforeIt() {
        stage.rivalAppends(Entries.opening("p", 1));
        stage.rivalAppends(Entries.opening("p", 2));
        stage.rivalAppends(Entries.opening("p", 3));
        stage.overwrite(2, ByteBuffer.allocate(100));
        String message =
                "Cannot read train/pretrain/log/00000000000000000000/00000000000000000002 in"
                        + " memory:///: it does not start as an Avro object; the object was damaged"
                        + " after it was written";

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(log::catchUp)
                    .withMessage(message);
            assertThat(log.state().version()).isEqualTo(1);
        }
        assertThatExceptionOfType(CorruptException.class).isThrownBy(stage::open);
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> log.append(List.of(Entries.opening("p", 4))));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"FLIPPED", "TRUNCATED"})
    void answerThatWasDamagedOnItsWayIsNotApplied(Fault damage) {
        stage.rivalAppends(Entries.opening("p", 1));
        stage.next(Kind.READ, damage);

        assertThatExceptionOfType(CorruptException.class).isThrownBy(log::catchUp);
        assertThat(log.state().version()).isZero();
        assertThat(log.catchUp()).isEqualTo(stage.truth());
    }

    @Test
    void readerGoesOnWhereTheStoreFailed() {
        stage.rivalAppends(Entries.opening("p", 1));
        stage.rivalAppends(Entries.opening("p", 2));
        stage.next(Kind.READ, Fault.NONE, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::catchUp);
        assertThat(log.state().version()).isEqualTo(1);
        assertThat(log.catchUp()).isEqualTo(stage.truth());
    }

    @Test
    @Tag("LOG-2")
    void behindALostCommitNobodyBeginsASecondHistory() {
        stage.rivalAppends(Entries.opening("p", 1));
        stage.rivalAppends(Entries.opening("p", 2));
        stage.memory.delete(List.of(new Layout(Stage.NAME).commit(1)));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(stage::open)
                .withMessageContaining("/00000000000000000001 is missing");
    }

    @Test
    @Tag("LOG-2")
    void aLostCommitAtTheEndOfAFolderIsSeenFromTheNextFolder() {
        stage.memory.create(new Layout(Stage.NAME).commit(4_096), ByteBuffer.allocate(1));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(stage::open)
                .withMessageContaining("/00000000000000000001 is missing");
    }

    /** Step 1: we find the end. Step 2: a rival appends twice. Step 3: we look behind the end. */
    @Test
    @Tag("LOG-2")
    void commitsThatComeWhileWeLookForLostOnesAreRead() {
        stage.before(
                Kind.LIST,
                () -> {
                    stage.rivalAppends(Entries.opening("p", 1));
                    stage.rivalAppends(Entries.opening("p", 2));
                });

        assertThat(stage.open().state()).isEqualTo(stage.truth());
        assertThat(stage.truth().version()).isEqualTo(2);
    }

    /** The next commit is to be looked for in the folder after the last one that there is. */
    @Test
    @Tag("LOG-2")
    void folderThatIsFullIsFollowedByNoLoss() {
        for (int i = 1; i < 4_096; i++) {
            stage.memory.create(
                    stage.key(i),
                    CommitCodec.encode(History.commit(i, History.START, Entries.opening("p", i))));
        }

        assertThat(stage.open().state().version()).isEqualTo(4_095);
    }

    @Test
    void commitThatIsTooLargeIsCorrupt() {
        stage.overwrite(1, ByteBuffer.allocate(CommitCodec.BYTES_MAX + 1));

        assertThatExceptionOfType(CorruptException.class).isThrownBy(log::catchUp);
    }

    @Test
    @Tag("LOG-9")
    void commitOfNewerSoftwareAsksForAnUpgrade() {
        stage.overwrite(1, NewerCommits.ofUnknownKind());

        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(log::catchUp)
                .withMessageContaining("/00000000000000000001 in memory:///: it says 'Weave'");
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> log.append(List.of(Entries.opening("p", 1))));
        assertThat(log.state().version()).isZero();
    }

    @Test
    @Tag("LOG-9")
    void featureThatEveryoneMustKnowKeepsReadersOut() {
        stage.overwrite(
                0,
                CommitCodec.encode(
                        History.commit(
                                0,
                                History.START,
                                Entries.dataset(new Feature("woven", RequiredOf.EVERYONE)))));

        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(stage::open)
                .withMessageContaining("'woven'");
    }

    @Test
    @Tag("LOG-10")
    void commitsNameTheStoresTime() {
        stage.storeClock.move(Duration.ofHours(1));
        Log late = stage.open();
        stage.storeClock.move(Duration.ofMillis(1_500));
        stage.clock.move(Duration.ofMillis(1_500));

        State state = late.append(List.of(Entries.opening("p", 1)));

        assertThat(state.time()).isEqualTo(stage.storeClock.instant());
        assertThat(state.time()).isEqualTo(History.START.plusSeconds(3_601).plusMillis(500));
    }

    @Test
    @Tag("LOG-10")
    void everyAnswerOfTheStoreSetsTheTimeRight() {
        stage.storeClock.move(Duration.ofSeconds(10));
        log.append(List.of(Entries.opening("p", 1)));
        assertThat(log.append(List.of(Entries.publish("p", 1, 0))).time())
                .as("as the first append was answered")
                .isEqualTo(History.START.plusSeconds(10));

        stage.storeClock.move(Duration.ofSeconds(10));
        log.catchUp();
        assertThat(log.append(List.of(Entries.publish("p", 1, 1))).time())
                .as("as the look that found nothing was answered")
                .isEqualTo(History.START.plusSeconds(20));

        stage.storeClock.move(Duration.ofSeconds(10));
        stage.rivalAppends(Entries.opening("q", 1));
        stage.next(Kind.READ, Fault.NONE, Fault.UNAVAILABLE);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::catchUp);
        assertThat(log.append(List.of(Entries.publish("p", 1, 2))).time())
                .as("as the look that found a commit was answered")
                .isEqualTo(History.START.plusSeconds(30));
    }

    @Test
    @Tag("LOG-10")
    @Tag("APPLY-2")
    void timeDoesNotStepBackWithTheStoresClock() {
        State before = log.append(List.of(Entries.opening("p", 1)));
        stage.storeClock.move(Duration.ofHours(-1));
        log.catchUp();

        State state = log.append(List.of(Entries.publish("p", 1, 0)));

        assertThat(stage.commits().get(2).time()).isEqualTo(History.START.minusSeconds(3_600));
        assertThat(state.time()).isEqualTo(before.time()).isEqualTo(History.START);
    }

    @Test
    @Tag("LOG-10")
    void timeIsInWholeMilliseconds() {
        stage.storeClock.move(Duration.ofNanos(123_456_789));
        log.catchUp();

        Instant time = log.append(List.of(Entries.opening("p", 1))).time();

        assertThat(time).isEqualTo(History.START.plusMillis(123));
    }
}
