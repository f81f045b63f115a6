package io.batchweave.steps;

import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;

/**
 * The checkpoints that jobs keep, as tags of the table of steps: each on the first snapshot that
 * holds every step before it. A checkpoint that is kept no more has no tag any more. Tags of other
 * names are somebody else's.
 */
final class Tags {
    private static final String OURS = "checkpoint/";

    private final Opened table;
    private final Patience patience;

    Tags(Opened table, Patience patience) {
        this.table = table;
        this.patience = patience;
    }

    /** What the tag of a checkpoint is called. */
    static String name(String job, String checkpoint) {
        return OURS + job + "/" + checkpoint;
    }

    /** Makes the tags what the log says; returns how many there are. */
    int run(State head) {
        return patience.until(
                () -> {
                    table.refresh();
                    Map<String, Long> wanted = wanted(head);
                    change(wanted);
                    return wanted.size();
                });
    }

    private Map<String, Long> wanted(State head) {
        List<Snapshot> snapshots =
                StreamSupport.stream(table.table().snapshots().spliterator(), false)
                        .filter(each -> isFolded(each, head))
                        .sorted(Comparator.comparingLong(Snapshot::sequenceNumber))
                        .toList();
        Map<String, Long> wanted = new HashMap<>();
        for (Map.Entry<String, JobState> job : head.jobs().entrySet()) {
            for (Position kept : job.getValue().checkpoints()) {
                first(snapshots, kept.nextStep())
                        .ifPresent(id -> wanted.put(name(job.getKey(), kept.checkpoint()), id));
            }
        }
        return wanted;
    }

    /**
     * A table may have been one of an earlier dataset of this name, and what it held before it was
     * made anew is not to be trusted: files of it may be gone.
     */
    private boolean isFolded(Snapshot snapshot, State head) {
        return Inspection.told(snapshot, ViewTable.THROUGH).isPresent()
                && head.dataset().id().equals(snapshot.summary().get(ViewTable.DATASET_ID))
                && Objects.equals(
                        table.table().properties().get(ViewTable.VIEW_ID),
                        snapshot.summary().get(ViewTable.VIEW_ID));
    }

    private static Optional<Long> first(List<Snapshot> snapshots, long nextStep) {
        return snapshots.stream()
                .filter(
                        each ->
                                Inspection.told(each, ViewTable.THROUGH).orElseThrow() + 1
                                        >= nextStep)
                .findFirst()
                .map(Snapshot::snapshotId);
    }

    private void change(Map<String, Long> wanted) {
        Map<String, SnapshotRef> there = table.table().refs();
        ManageSnapshots changes = table.table().manageSnapshots();
        int count = 0;
        for (Map.Entry<String, SnapshotRef> each : there.entrySet()) {
            if (each.getKey().startsWith(OURS)
                    && each.getValue().isTag()
                    && !wanted.containsKey(each.getKey())) {
                changes.removeTag(each.getKey());
                count++;
            }
        }
        for (Map.Entry<String, Long> each : wanted.entrySet()) {
            SnapshotRef known = there.get(each.getKey());
            if (known == null) {
                changes.createTag(each.getKey(), each.getValue());
                count++;
            } else if (known.isTag() && known.snapshotId() != each.getValue()) {
                changes.replaceTag(each.getKey(), each.getValue());
                count++;
            }
        }
        if (count > 0) {
            changes.commit();
        }
    }
}
