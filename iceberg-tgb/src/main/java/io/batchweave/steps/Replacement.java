package io.batchweave.steps;

import io.batchweave.log.Log;
import io.batchweave.model.DatasetName;
import io.batchweave.state.State;
import java.util.List;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;

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
        return kind.builder(catalog, dataset, head).createOrReplaceTransaction();
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
                .set(ViewTable.FOLD_ID, id)
                .set(ViewTable.THROUGH, Long.toString(through))
                .set(ViewTable.ROWS, Long.toString(rows))
                .commit();
        change.commitTransaction();
    }
}
