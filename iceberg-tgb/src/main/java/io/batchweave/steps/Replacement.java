package io.batchweave.steps;

import io.batchweave.log.Log;
import io.batchweave.model.DatasetName;
import io.batchweave.state.State;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.NoSuchTableException;

/**
 * All rows of a table, made anew, in place of all that it holds.
 *
 * <p>Of what is there nothing is read but the newest metadata: files may be missing or somebody
 * else's, columns may have been changed. The table keeps its name, its id and its tags. What others
 * fold meanwhile is replaced too, and folded again afterwards.
 */
final class Replacement {
    private final ViewTable kind;
    private final Catalog catalog;
    private final DatasetName dataset;
    private final State head;
    private final String id;
    private boolean isOffered;

    Replacement(ViewTable kind, Catalog catalog, Log log, State head) {
        this.kind = kind;
        this.catalog = catalog;
        this.dataset = log.layout().dataset();
        this.head = head;
        this.id = log.world().newId();
    }

    /** The table as it will be, to write files for. */
    Table table(Patience patience) {
        return patience.until(() -> begin().table());
    }

    private Transaction begin() {
        Transaction change =
                kind.builder(catalog, dataset, head, formatVersion())
                        .withProperties(Map.of(ViewTable.VIEW_ID, id))
                        .createOrReplaceTransaction();
        resetWriting(change);
        return change;
    }

    /** How others want files to be written may be why none can be. */
    private void resetWriting(Transaction change) {
        Set<String> foreign = new HashSet<>(change.table().properties().keySet());
        foreign.removeIf(name -> !name.startsWith(ViewTable.WRITING));
        foreign.removeAll(kind.properties().keySet());
        if (!foreign.isEmpty()) {
            UpdateProperties properties = change.updateProperties();
            foreign.forEach(properties::remove);
            properties.commit();
        }
    }

    /** Somebody may have raised it, and Iceberg never lowers it. */
    private int formatVersion() {
        try {
            int there = TableUtil.formatVersion(catalog.loadTable(kind.identifier(dataset)));
            return Math.max(there, ViewTable.FORMAT_VERSION);
        } catch (NoSuchTableException e) {
            return ViewTable.FORMAT_VERSION;
        }
    }

    /** Replaces what it holds by these files, in one commit. */
    void run(List<DataFile> files, long through, Patience patience) {
        patience.until(
                () -> {
                    if (!isOffered || !isIn()) {
                        isOffered = true;
                        replace(files, through);
                    }
                    return id;
                });
    }

    private boolean isIn() {
        return Opened.open(kind, catalog, dataset, head).holds(id);
    }

    private void replace(List<DataFile> files, long through) {
        Transaction change = begin();
        AppendFiles append = change.newFastAppend();
        files.forEach(append::appendFile);
        long rows = files.stream().mapToLong(DataFile::recordCount).sum();
        append.set(ViewTable.DATASET_ID, head.dataset().id())
                .set(ViewTable.VIEW_ID, id)
                .set(ViewTable.FOLD_ID, id)
                .set(ViewTable.THROUGH, Long.toString(through))
                .set(ViewTable.ROWS, Long.toString(rows))
                .commit();
        change.commitTransaction();
    }
}
