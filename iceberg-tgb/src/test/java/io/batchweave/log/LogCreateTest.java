package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Axis;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Feature;
import io.batchweave.model.Feature.RequiredOf;
import io.batchweave.state.History;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogCreateTest {
    private final Stage stage = new Stage();
    private final CreateDataset dataset = Entries.dataset("p");

    @Test
    void createdDatasetCanBeOpened() {
        Log log = create(dataset);

        assertThat(log.state().dataset().producers()).containsExactly("p");
        assertThat(log.state()).isEqualTo(stage.open().state());
        assertThat(stage.commits()).hasSize(1);
        assertThat(stage.commits().get(0).writer()).isEqualTo("batchweave/development");
    }

    @Test
    void logKnowsItsPlace() {
        Log log = create(dataset);

        assertThat(log.layout().dataset()).isEqualTo(Stage.NAME);
        assertThat(log.store()).isSameAs(stage.store());
        assertThat(log.world().clock()).isSameAs(stage.clock);
    }

    @Test
    void datasetThatExistsIsLeftAsItIs() {
        stage.create();
        CreateDataset other = other(5);

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> create(other))
                .withMessage(
                        "Cannot create dataset train.pretrain in memory:///: it exists; choose another"
                                + " name or use the one that is there");
        assertThat(stage.creates()).isZero();
        assertThat(stage.truth().dataset().id()).isEqualTo(dataset.datasetId());
    }

    @Test
    void loserOfARaceLearnsThatTheDatasetExists() {
        stage.before(Kind.CREATE, () -> stage.create());

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> create(other(5)))
                .withMessageContaining("it exists");
        assertThat(stage.truth().dataset().id()).isEqualTo(dataset.datasetId());
    }

    @Test
    void creatingTheVerySameDatasetAgainFindsIt() {
        create(dataset);
        stage.rivalAppends(Entries.opening("p", 1));
        stage.forgetRequests();

        Log again = create(dataset);

        assertThat(again.state().version()).isZero();
        assertThat(again.catchUp()).isEqualTo(stage.truth());
        assertThat(stage.creates()).isZero();
    }

    /** A refusal may be our own attempt, and a doubtful outcome is settled by looking. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"ANSWER_LOST", "REQUEST_LOST", "TWICE", "LATE"})
    @Tag("STORE-1")
    @Tag("STORE-2")
    void doubtfulCreationIsSettledByLooking(Fault fault) {
        stage.next(Kind.CREATE, fault);

        Log log = create(dataset);
        stage.applyLate();

        assertThat(log.state()).isEqualTo(stage.truth());
        assertThat(stage.commits()).hasSize(1);
    }

    @Test
    @Tag("STORE-1")
    void creationThatNobodyConfirmsEndsInTime() {
        stage.always(Kind.CREATE, Fault.REQUEST_LOST);

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> create(dataset))
                .withMessageMatching(
                        "Cannot create dataset train\\.pretrain in memory:///: the commit was not"
                                + " confirmed within 60 s, after \\d\\d\\d? offers; it may still"
                                + " arrive, so do the same again and delete nothing");
        assertThat(Duration.between(History.START, stage.clock.instant()))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    }

    @Test
    void creationThatTheStoreRefusedToTakeHasNotHappened() {
        stage.next(Kind.CREATE, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(() -> create(dataset));
        assertThat(create(dataset).state()).isEqualTo(stage.truth());
    }

    @Test
    void storeThatCannotBeReadIsNotWrittenTo() {
        stage.next(Kind.READ, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(() -> create(dataset));
        assertThat(stage.creates()).isZero();
    }

    @Test
    @Tag("STORE-1")
    void creationThatCouldNotBeLookedForIsUnknown() {
        stage.before(Kind.READ, () -> stage.next(Kind.READ, Fault.NONE, Fault.UNAVAILABLE));

        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(() -> create(dataset))
                .withMessageContaining("not confirmed because the store failed, after 1 offers")
                .withCauseInstanceOf(UnavailableException.class);
        assertThat(create(dataset).state()).isEqualTo(stage.truth());
    }

    @ParameterizedTest
    @EnumSource(RequiredOf.class)
    @Tag("LOG-9")
    void datasetThatWeCouldNotUseIsNotCreated(RequiredOf requiredOf) {
        CreateDataset newer = Entries.dataset(new Feature("woven", requiredOf));

        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> create(newer))
                .withMessageContaining("'woven'");
        assertThat(stage.creates()).isZero();
    }

    @Test
    void logThatDoesNotBeginWithADatasetIsCorrupt() {
        stage.create();
        stage.overwrite(
                0, CommitCodec.encode(History.commit(0, History.START, Entries.opening("p", 1))));

        assertThatExceptionOfType(CorruptException.class).isThrownBy(stage::open);
        assertThatExceptionOfType(CorruptException.class).isThrownBy(() -> create(dataset));
        stage.overwrite(0, ByteBuffer.allocate(3));
        assertThatExceptionOfType(CorruptException.class).isThrownBy(() -> create(dataset));
    }

    @Test
    @Tag("LOG-10")
    void creationNamesTheStoresTime() {
        stage.storeClock.move(Duration.ofHours(-1));

        assertThat(create(dataset).state().time()).isEqualTo(stage.storeClock.instant());
    }

    private Log create(CreateDataset created) {
        return Log.create(
                stage.store(), Stage.NAME, created, stage.clock.world(9), LogLimits.DEFAULT);
    }

    private static CreateDataset other(long id) {
        return new CreateDataset(
                Entries.id(id), "{}", List.of(new Axis("dp", 9)), List.of(), List.of());
    }
}
