package io.batchweave.steps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Whether a table holds what folds put into it, and up to where. Others may have merged its files,
 * rolled it back or expired its snapshots, and it is as good as before; or have added rows of their
 * own, and nothing may be built on that.
 */
final class Inspection {
    private final ViewTable kind;
    private final Table table;
    private final Content content;
    private final String datasetId;

    /** The snapshots that others made since the last fold did, the newest first. */
    private final List<Snapshot> foreign = new ArrayList<>();

    /** The newest snapshot that a fold made, of those that led to this one. */
    private final Optional<Snapshot> folded;

    Inspection(ViewTable kind, Table table, Content content, String datasetId) {
        this.kind = kind;
        this.table = table;
        this.content = content;
        this.datasetId = datasetId;
        this.folded = folded();
    }

    private Optional<Snapshot> folded() {
        if (content.snapshotId() != Content.NO_SNAPSHOT) {
            for (Snapshot each : SnapshotUtil.ancestorsOf(content.snapshotId(), table::snapshot)) {
                if (told(each, ViewTable.THROUGH).isPresent()) {
                    return Optional.of(each);
                }
                foreign.add(each);
            }
        }
        return Optional.empty();
    }

    static Optional<Long> told(Snapshot snapshot, String name) {
        String text = snapshot.summary() == null ? null : snapshot.summary().get(name);
        return text == null || !text.matches("-?\\d{1,18}")
                ? Optional.empty()
                : Optional.of(Long.valueOf(text));
    }

    /**
     * The highest key that is folded; -1: none. Steps say it themselves; of the last versions there
     * may be no event, so there the snapshot's word counts too.
     */
    long through() {
        long told = folded.flatMap(each -> told(each, ViewTable.THROUGH)).orElse(-1L);
        return kind == ViewTable.STEPS ? content.last() : Math.max(content.last(), told);
    }

    /** Why nothing may be added to it; empty: it is as folds made it. */
    Optional<String> flaw() {
        return flawOfDataset()
                .or(content::flaw)
                .or(() -> kind == ViewTable.STEPS ? flawOfSteps() : flawOfEvents())
                .or(this::flawOfChanges);
    }

    /** A table that was made anew for another dataset may be rolled back to what was before. */
    private Optional<String> flawOfDataset() {
        return folded.map(each -> each.summary().get(ViewTable.DATASET_ID))
                .filter(id -> !id.equals(datasetId))
                .map(id -> "it was rolled back to another dataset, of id " + id);
    }

    /**
     * Rows that somebody changed have the number and the keys that they had; only the snapshots
     * tell of it, as long as they are not expired.
     */
    private Optional<String> flawOfChanges() {
        return foreign.stream()
                .filter(each -> DataOperations.OVERWRITE.equals(each.operation()))
                .filter(each -> told(each, SnapshotSummary.ADDED_FILES_PROP).orElse(0L) > 0)
                .findFirst()
                .map(each -> "somebody changed rows of it, in snapshot " + each.snapshotId());
    }

    /** Steps are consecutive, so their number and bounds say nearly all. */
    private Optional<String> flawOfSteps() {
        long steps = content.last() + 1;
        if (content.rows() != steps) {
            return Optional.of(
                    "it holds %d rows for steps up to %d".formatted(content.rows(), steps - 1));
        }
        boolean isWhole =
                content.pieces().stream()
                        .allMatch(piece -> piece.rows() == piece.last() - piece.first() + 1);
        return content.isApart() && isWhole ? Optional.empty() : repeated(StepColumns.STEP);
    }

    private Optional<String> flawOfEvents() {
        long rows = folded.flatMap(each -> told(each, ViewTable.ROWS)).orElse(content.rows());
        if (content.rows() != rows) {
            return Optional.of(
                    "it holds %d rows, and folds made %d".formatted(content.rows(), rows));
        }
        return content.isApart() ? Optional.empty() : repeated(EventColumns.ENTRY);
    }

    /** Where files overlap, somebody else has written them anew: the rows are looked at. */
    private Optional<String> repeated(String column) {
        Schema keys = table.schema().select(kind.key(), column);
        Set<Object> seen = new HashSet<>();
        for (Piece piece : content.pieces()) {
            try (CloseableIterable<Record> rows = RowFile.read(table, piece.file(), keys)) {
                for (Record row : rows) {
                    Object key = row.getField(kind.key());
                    if (!seen.add(key + ":" + row.getField(column))) {
                        return Optional.of("it holds %s %s twice".formatted(kind.key(), key));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Optional.empty();
    }
}
