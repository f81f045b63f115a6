package io.batchweave.steps;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.PropertyUtil;

/** Expires snapshots that no tag and no branch holds, so that the metadata stays small. */
final class Expiry {
    private final Opened table;
    private final Patience patience;

    Expiry(Opened table, Patience patience) {
        this.table = table;
        this.patience = patience;
    }

    /**
     * Expires the oldest, if there are more than so many that nothing holds, until there are half
     * as many.
     */
    int run(int most) {
        return patience.until(
                () -> {
                    table.refresh();
                    List<Snapshot> free = free();
                    if (free.size() <= most || !mayDelete()) {
                        return 0;
                    }
                    List<Snapshot> expired = free.subList(0, free.size() - most / 2);
                    ExpireSnapshots expiry = table.table().expireSnapshots().expireOlderThan(0);
                    expired.forEach(each -> expiry.expireSnapshotId(each.snapshotId()));
                    expiry.commit();
                    return expired.size();
                });
    }

    /** Who has said that no file of the table may be deleted keeps its snapshots, too. */
    private boolean mayDelete() {
        return PropertyUtil.propertyAsBoolean(
                table.table().properties(),
                TableProperties.GC_ENABLED,
                TableProperties.GC_ENABLED_DEFAULT);
    }

    private List<Snapshot> free() {
        Set<Long> held =
                table.table().refs().values().stream()
                        .map(SnapshotRef::snapshotId)
                        .collect(Collectors.toSet());
        return StreamSupport.stream(table.table().snapshots().spliterator(), false)
                .filter(each -> !held.contains(each.snapshotId()))
                .sorted(Comparator.comparingLong(Snapshot::sequenceNumber))
                .toList();
    }
}
