package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.JobEntries;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;

/** Checkpoints as tags, and the snapshots that go when none holds them. */
class TagsTest {
    private final FoldStage stage = new FoldStage(new FaultyCatalog());
    private final Fold fold = stage.fold();

    private Table steps() {
        return stage.table(ViewTable.STEPS);
    }

    private Set<String> tags() {
        return steps().refs().entrySet().stream()
                .filter(each -> each.getValue().isTag())
                .map(each -> each.getKey())
                .collect(Collectors.toSet());
    }

    private void publishAndFold(int steps) {
        stage.publish(steps);
        fold.run();
    }

    private void checkpoint(long nextStep) {
        stage.append(JobEntries.checkpoint("", nextStep));
        fold.run();
    }

    @Test
    void aCheckpointIsATagOnTheFirstSnapshotThatHoldsAllStepsBeforeIt() {
        stage.append(JobEntries.attach());
        publishAndFold(3);
        publishAndFold(3);
        publishAndFold(3);
        checkpoint(5);

        SnapshotRef tag = steps().refs().get("checkpoint/j/at5");

        assertThat(stage.steps(steps().snapshot(tag.snapshotId())))
                .extracting(row -> row.getField("step"))
                .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aCheckpointThatIsReleasedOrNotKeptHasNoTag() {
        stage.append(JobEntries.attach());
        publishAndFold(9);
        for (long step = 1; step <= 4; step++) {
            checkpoint(step);
        }
        assertThat(tags())
                .containsExactlyInAnyOrder(
                        "checkpoint/j/at2", "checkpoint/j/at3", "checkpoint/j/at4");
        stage.append(JobEntries.release("at3"));
        fold.run();
        assertThat(tags()).containsExactlyInAnyOrder("checkpoint/j/at2", "checkpoint/j/at4");
        stage.append(JobEntries.detach(1));
        fold.run();
        assertThat(tags()).isEmpty();
    }

    @Test
    void tagsOfOthersAreLeftAlone() {
        publishAndFold(2);
        Table table = steps();
        table.manageSnapshots().createTag("mine", table.currentSnapshot().snapshotId()).commit();
        publishAndFold(2);
        assertThat(tags()).containsExactly("mine");
    }

    @Test
    void onlyWhatATagHoldsOutlivesAnExpiry() {
        stage.append(JobEntries.attach());
        for (int i = 0; i < 5; i++) {
            publishAndFold(2);
        }
        checkpoint(4);
        long held = steps().refs().get("checkpoint/j/at4").snapshotId();

        assertThat(fold.expire()).isPositive();

        assertThat(steps().snapshots())
                .extracting(each -> each.snapshotId())
                .containsExactlyInAnyOrder(held, steps().currentSnapshot().snapshotId());
        assertThat(stage.steps(steps().snapshot(held))).hasSize(4);
        publishAndFold(1);
        stage.assertWhole();
        assertThat(steps().refs().get("checkpoint/j/at4").snapshotId()).isEqualTo(held);
    }

    @Test
    void snapshotsThatNobodyHoldsAreExpiredBeforeTheyAreTooMany() {
        Fold eager = stage.fold(FoldFaultIT.limits(3));
        for (int i = 0; i < 30; i++) {
            stage.publish(1);
            eager.run();
        }
        assertThat(steps().snapshots()).hasSizeLessThanOrEqualTo(8 + 4);
        stage.assertWhole();
    }

    @Test
    void theTableTellsTheFirstStepWhosePayloadIsKept() {
        stage.append(JobEntries.attach());
        publishAndFold(9);
        assertThat(steps().properties()).containsEntry("batchweave.first-live-step", "0");
        for (long step = 4; step <= 6; step++) {
            checkpoint(step);
        }
        stage.append(new Sweep(4, 0));
        fold.run();
        assertThat(steps().properties())
                .containsEntry("batchweave.first-live-step", "4")
                .containsEntry("batchweave.setting.retention", "checkpoints");
    }

    @Test
    void onlyKeysAndTimesHaveBounds() {
        publishAndFold(2);
        Table table = steps();
        Content content = Content.of(ViewTable.STEPS, table, table.currentSnapshot());
        Set<Integer> bounded =
                List.of("step", "version", "published_at").stream()
                        .map(name -> table.schema().findField(name).fieldId())
                        .collect(Collectors.toSet());
        assertThat(content.pieces())
                .allSatisfy(
                        piece ->
                                assertThat(piece.file().lowerBounds().keySet()).isEqualTo(bounded));
    }
}
