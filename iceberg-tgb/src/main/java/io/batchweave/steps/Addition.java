package io.batchweave.steps;

import io.batchweave.world.World;
import java.util.List;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;

/**
 * Rows that are added to a table, once.
 *
 * <p>They are the ones behind what was folded when they were written, and a commit is let in only
 * while that is still so. Three ways in which it comes out badly need no case of their own:
 *
 * <ol>
 *   <li>Somebody else folded the same rows: the table is folded further, and ours are dropped.
 *   <li>The catalog says that it failed, or nothing at all, and it is in: its id is found.
 *   <li>It is still on its way: the same files are offered again on the same base, and whichever
 *       arrives second is refused.
 * </ol>
 */
final class Addition {
    private final Opened table;
    private final List<DataFile> files;
    private final long through;
    private final long before;
    private final String id;
    private boolean isOffered;

    /**
     * @param table as it was when the rows were written
     * @param through the highest key that is folded when they are in
     */
    Addition(Opened table, List<DataFile> files, long through, World world) {
        this.table = table;
        this.files = files;
        this.through = through;
        this.before = table.through();
        this.id = world.newId();
    }

    /** Adds them; false if somebody else was faster. */
    boolean run(Patience patience) {
        return patience.until(this::turn);
    }

    private boolean turn() {
        if (isOffered) {
            table.look();
            if (isIn()) {
                return true;
            }
            if (table.through() != before) {
                // What we offered can come in no more: its base is not the newest any more.
                table.deleteFiles(files);
                return false;
            }
        }
        isOffered = true;
        AppendFiles append = table.table().newAppend();
        files.forEach(append::appendFile);
        long rows = files.stream().mapToLong(DataFile::recordCount).sum();
        table.commit(append, id, through, table.content().rows() + rows);
        return true;
    }

    private boolean isIn() {
        return table.holds(id)
                || files.stream()
                        .map(DataFile::location)
                        .anyMatch(
                                ours ->
                                        table.content().pieces().stream()
                                                .anyMatch(
                                                        piece ->
                                                                piece.file()
                                                                        .location()
                                                                        .equals(ours)));
    }
}
