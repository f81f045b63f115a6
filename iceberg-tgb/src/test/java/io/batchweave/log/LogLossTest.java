package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Axis;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Layout;
import io.batchweave.store.FaultPlan.Kind;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log that has lost commits, and a busy one that only looks like it. */
@Tag("LOG-2")
class LogLossTest {
    private static final String FIRST =
            "train/pretrain/log/00000000000000000000/00000000000000000000";
    private final Stage stage = new Stage();

    @Test
    void datasetThatLostItsFirstCommitIsNotTakenForNone() {
        loseTheFirstCommit();
        String message =
                "Cannot open dataset train.pretrain in memory:///: "
                        + FIRST
                        + " is missing, and there are commits behind it; restore it, and write"
                        + " nothing before";

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(stage::open)
                .withMessage(message);
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(this::create)
                .withMessage(message);
        assertThat(stage.creates()).isZero();
    }

    @Test
    void datasetThatLostItsFirstFolderIsNotTakenForNone() {
        stage.memory.create(stage.key(4_096), ByteBuffer.allocate(1));

        assertThatExceptionOfType(CorruptException.class).isThrownBy(stage::open);
        assertThatExceptionOfType(CorruptException.class).isThrownBy(this::create);
    }

    /**
     * We find nothing; a rival creates the dataset and appends; we look what lies behind nothing.
     */
    @Test
    void datasetThatIsCreatedWhileWeOpenItIsFound() {
        stage.before(Kind.LIST, this::rivalCreatesAndAppends);

        assertThat(stage.open().state()).isEqualTo(stage.truth());
        assertThat(stage.truth().version()).isEqualTo(1);
    }

    @Test
    void datasetThatIsCreatedWhileWeCreateItExists() {
        stage.before(Kind.LIST, this::rivalCreatesAndAppends);

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(this::create)
                .withMessageContaining("it exists");
        assertThat(stage.creates()).isZero();
    }

    @Test
    void whatIsNoCommitIsNoSignOfALoss() {
        stage.create();
        String commits = new Layout(Stage.NAME).commits();
        stage.memory.create(stage.key(2) + ".tmp", ByteBuffer.allocate(1));
        stage.memory.create(commits + "/z/1", ByteBuffer.allocate(1));
        stage.memory.create(commits + "/00000000000000000001.old/2", ByteBuffer.allocate(1));

        assertThat(stage.open().state().version()).isZero();
    }

    private void rivalCreatesAndAppends() {
        Log.create(
                        stage.memory,
                        Stage.NAME,
                        Entries.dataset("p"),
                        stage.storeClock.world(3),
                        LogLimits.DEFAULT)
                .append(List.of(Entries.opening("p", 1)));
    }

    private void loseTheFirstCommit() {
        rivalCreatesAndAppends();
        stage.memory.delete(List.of(FIRST));
    }

    private void create() {
        CreateDataset other =
                new CreateDataset(
                        Entries.id(5), "{}", List.of(new Axis("dp", 9)), List.of(), List.of());
        Log.create(stage.store(), Stage.NAME, other, stage.clock.world(4), LogLimits.DEFAULT);
    }
}
