package io.batchweave.catalog;

import io.batchweave.catalog.files.ObjectStoreFileIO;
import io.batchweave.catalog.register.Register;
import io.batchweave.catalog.register.Version;
import io.batchweave.errors.UnavailableException;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dropping of a table.
 *
 * <ol>
 *   <li>One create says that the table is dropped: before it there is a table, after it none.
 *   <li>If it is purged: the files that its last metadata names go; data first, then the manifests
 *       by which they are found. They stay if it cannot be read.
 *   <li>Then its other versions go, the last one last, for who looks for nothing else.
 * </ol>
 *
 * A process may be killed anywhere: dropping it again does the rest, since what says that it is
 * dropped keeps its last metadata.
 */
final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

    private final Warehouse warehouse;
    private final TableIdentifier table;
    private final ObjectStoreFileIO io;

    Removal(Warehouse warehouse, TableIdentifier table, ObjectStoreFileIO io) {
        this.warehouse = warehouse;
        this.table = table;
        this.io = io;
    }

    /** Returns whether there was a table, which this dropped. */
    boolean run(boolean purge) {
        Register register = warehouse.table(table);
        boolean dropped = register.drop();
        if (purge) {
            register.dropped().forEach(this::purge);
        }
        register.tidyDropped();
        return dropped;
    }

    /** The table is dropped by now: that nobody can tell which files were its own is no failure. */
    private void purge(Version version) {
        try {
            purge(
                    TableMetadataParser.fromJson(
                            warehouse.store().nameOf(version.key()), version.text()));
        } catch (RuntimeException e) {
            if (isUnavailable(e)) {
                throw e;
            }
            LOG.debug("Cannot purge {} by {}", table, version.key(), e);
            LOG.warn(
                    "Table {} is dropped, and files of it stay in {}: they cannot be found by {}; delete them by hand",
                    table,
                    warehouse.store().nameOf(CatalogNames.folder(table)),
                    warehouse.store().nameOf(version.key()));
        }
    }

    private static boolean isUnavailable(Throwable e) {
        return e instanceof UnavailableException
                || (e.getCause() != null && e.getCause() != e && isUnavailable(e.getCause()));
    }

    private void purge(TableMetadata last) {
        TableFiles files = new TableFiles(io, CatalogNames.folder(table));
        try {
            CatalogUtil.dropTableData(files, last);
        } catch (NotFoundException e) {
            // An earlier purge came this far: it deleted the data before the lists of it.
            LOG.debug("Goes on with the purge of {}", table, e);
            files.deleteFiles(
                    last.snapshots().stream().map(Snapshot::manifestListLocation).toList());
        }
    }
}
