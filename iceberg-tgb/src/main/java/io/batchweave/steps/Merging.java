package io.batchweave.steps;

import io.batchweave.model.Layout;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the newest files of a table into larger ones, as log-structured trees do: so many
 * neighbours of one level become one of the next. So a row is written again about as often as its
 * file grows by that factor, and the number of files stays logarithmic, up to files that are large
 * enough. What is merged follows from the files alone.
 */
final class Merging {
    private static final Logger LOG = LoggerFactory.getLogger(Merging.class);

    private static final int LARGE = Integer.MAX_VALUE;

    private final Opened table;
    private final FoldLimits limits;
    private final Patience patience;
    private final World world;

    Merging(Opened table, FoldLimits limits, Patience patience, World world) {
        this.table = table;
        this.limits = limits;
        this.patience = patience;
        this.world = world;
    }

    /** Merges what is due; if it does not come out, somebody else does it, or we do later. */
    int run() {
        int merged = 0;
        List<Piece> due = due(table.content().pieces(), limits);
        while (!due.isEmpty()) {
            if (!merge(due)) {
                return merged;
            }
            merged += due.size();
            patience.until(
                    () -> {
                        table.look();
                        return table;
                    });
            due = due(table.content().pieces(), limits);
        }
        return merged;
    }

    /**
     * The neighbours that are to be merged, in order; none: nothing is due.
     *
     * <p>From the oldest to the newest, levels never rise, and no level has as many files as the
     * fanout. Where that is not so, the newest such place is mended.
     *
     * @param pieces in order
     */
    static List<Piece> due(List<Piece> pieces, FoldLimits limits) {
        for (int end = pieces.size(); end > 1; end--) {
            int level = level(pieces.get(end - 1), limits);
            int lower = end - 1;
            while (lower > 0 && level(pieces.get(lower - 1), limits) < level) {
                lower--;
            }
            int equal = end - 1;
            while (equal > 0 && level(pieces.get(equal - 1), limits) == level) {
                equal--;
            }
            boolean isLarge = level == LARGE;
            if (!isLarge && lower < end - 1) {
                return bounded(pieces.subList(lower, end), limits);
            }
            if (!isLarge && end - equal >= limits.fanout()) {
                return bounded(pieces.subList(equal, end), limits);
            }
        }
        return List.of();
    }

    /** {@link #LARGE} is not merged: it is large enough, or in a format that we do not write. */
    private static int level(Piece piece, FoldLimits limits) {
        return piece.bytes() >= limits.fileBytes() || piece.file().format() != FileFormat.PARQUET
                ? LARGE
                : level(piece.rows(), limits.fanout());
    }

    /** How often the fanout divides a number of rows. */
    private static int level(long rows, int fanout) {
        int level = 0;
        for (long left = rows / fanout; left > 0; left /= fanout) {
            level++;
        }
        return level;
    }

    /** The oldest of them that make a file that is large enough, and all if they make none. */
    private static List<Piece> bounded(List<Piece> run, FoldLimits limits) {
        long bytes = 0;
        for (int i = 0; i < run.size(); i++) {
            bytes += run.get(i).bytes();
            if (bytes >= limits.fileBytes() && i > 0) {
                return List.copyOf(run.subList(0, i + 1));
            }
        }
        return List.copyOf(run);
    }

    private boolean merge(List<Piece> due) {
        Optional<DataFile> file = Optional.empty();
        try {
            file = write(due);
            if (file.isPresent()) {
                commit(due, file.get());
            }
            return file.isPresent();
        } catch (RuntimeException e) {
            // It may be in all the same, so the new file is not touched; the next fold looks.
            LOG.debug("{} files of {} are not merged for now", due.size(), table.table().name(), e);
            return false;
        }
    }

    /** Empty: the rows are not in order, because somebody else wrote them. */
    private Optional<DataFile> write(List<Piece> due) {
        String name = Layout.padded(due.get(0).first()) + "-" + world.newId();
        RowFile file = new RowFile(table.table(), name);
        long last = Long.MIN_VALUE;
        try {
            for (Piece piece : due) {
                try (CloseableIterable<Record> rows =
                        RowFile.read(table.table(), piece.file(), table.table().schema())) {
                    for (Record row : rows) {
                        long key = (long) row.getField(table.kind().key());
                        if (key < last) {
                            file.abandon();
                            return Optional.empty();
                        }
                        last = key;
                        file.write(row);
                    }
                }
            }
            return Optional.of(file.finish());
        } catch (IOException e) {
            file.abandon();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            file.abandon();
            throw e;
        }
    }

    private void commit(List<Piece> due, DataFile merged) {
        RewriteFiles rewrite =
                table.table().newRewrite().validateFromSnapshot(table.content().snapshotId());
        due.forEach(piece -> rewrite.deleteFile(piece.file()));
        rewrite.addFile(merged);
        table.commit(rewrite, world.newId(), table.through(), table.content().rows());
    }
}
