package io.batchweave.steps;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Names;
import io.batchweave.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One table of a view in a catalog, and how it is changed: never without a look at it. */
final class Opened {
    private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

    private final ViewTable kind;
    private final Catalog catalog;
    private final TableIdentifier identifier;
    private final UUID uuid;
    private final String datasetId;
    private Table table;
    private Content content = Content.NONE;
    private long through = -1;

    private Opened(
            ViewTable kind,
            Catalog catalog,
            TableIdentifier identifier,
            Table table,
            String datasetId) {
        this.datasetId = datasetId;
        this.kind = kind;
        this.catalog = catalog;
        this.identifier = identifier;
        this.table = table;
        this.uuid = table.uuid();
    }

    /** Loads the table, and makes it if there is none. */
    static Opened open(ViewTable kind, Catalog catalog, DatasetName dataset, State state) {
        TableIdentifier identifier = kind.identifier(dataset);
        Table table;
        try {
            table = catalog.loadTable(identifier);
        } catch (NoSuchTableException | NoSuchNamespaceException e) {
            table = create(kind, catalog, dataset, state);
        }
        return new Opened(kind, catalog, identifier, table, state.dataset().id());
    }

    private static Table create(ViewTable kind, Catalog catalog, DatasetName dataset, State state) {
        TableIdentifier identifier = kind.identifier(dataset);
        if (catalog instanceof SupportsNamespaces spaces
                && !spaces.namespaceExists(identifier.namespace())) {
            try {
                spaces.createNamespace(identifier.namespace());
            } catch (AlreadyExistsException e) {
                LOG.debug("Somebody else made namespace {}", identifier.namespace());
            }
        }
        try {
            return kind.builder(catalog, dataset, state, ViewTable.FORMAT_VERSION).create();
        } catch (AlreadyExistsException e) {
            return catalog.loadTable(identifier);
        }
    }

    ViewTable kind() {
        return kind;
    }

    /** As it was at the last look. */
    Table table() {
        return table;
    }

    /** As it was at the last look. */
    Content content() {
        return content;
    }

    /** The highest key that was folded at the last look; -1: none. */
    long through() {
        return through;
    }

    /** Looks at the table in the catalog. */
    void refresh() {
        table = catalog.loadTable(identifier);
        if (!table.uuid().equals(uuid)) {
            throw new NoSuchTableException("Table %s is another one by now", identifier);
        }
    }

    /**
     * Looks at the table and at what it holds.
     *
     * @throws InvalidRequestException if nothing may be added to that
     */
    void look() {
        refresh();
        String id = table.properties().get(ViewTable.DATASET_ID);
        if (id == null) {
            throw unfit("no fold has made it, and what it holds may be somebody's");
        }
        if (!datasetId.equals(id)) {
            throw unfit("it tells of another dataset, of id " + id);
        }
        new Shape(kind, table).unfitness().ifPresent(why -> refuse(why));
        Snapshot head = table.currentSnapshot();
        if (head == null || head.snapshotId() != content.snapshotId()) {
            Content now = Content.of(kind, table, head);
            Inspection inspection = new Inspection(kind, table, now, datasetId);
            inspection.flaw().ifPresent(why -> refuse(why));
            through = inspection.through();
            content = now;
        }
    }

    private void refuse(String why) {
        throw unfit(why);
    }

    private InvalidRequestException unfit(String why) {
        return new InvalidRequestException(
                "Cannot fold into table %s: %s; make the view anew by fold --rebuild"
                        .formatted(identifier, Names.printable(why)));
    }

    /** Whether an attempt of this id is in. */
    boolean holds(String foldId) {
        for (Snapshot each : table.snapshots()) {
            if (each.summary() != null && foldId.equals(each.summary().get(ViewTable.FOLD_ID))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Commits a change of what the table holds, if it still holds what it did at the last look.
     *
     * <p>Iceberg offers it again on newer metadata by itself, so the check is made inside of every
     * attempt. Files of attempts that it takes for failed are not deleted: a commit of which the
     * catalog says that it failed may be in all the same, as when a client's hidden retry is
     * refused on account of itself.
     */
    <T extends SnapshotUpdate<T>> void commit(
            T update, String foldId, long newThrough, long newRows) {
        List<String> unused = new ArrayList<>();
        Consumer<String> collector = unused::add;
        update.validateWith(unchanged())
                .deleteWith(collector)
                .set(ViewTable.DATASET_ID, datasetId)
                .set(ViewTable.FOLD_ID, foldId)
                .set(ViewTable.THROUGH, Long.toString(newThrough))
                .set(ViewTable.ROWS, Long.toString(newRows));
        Optional.ofNullable(table.properties().get(ViewTable.VIEW_ID))
                .ifPresent(viewId -> update.set(ViewTable.VIEW_ID, viewId));
        update.commit();
        delete(unused);
    }

    private SnapshotAncestryValidator unchanged() {
        Table base = table;
        Content known = content;
        long expected = through;
        return new SnapshotAncestryValidator() {
            @Override
            public boolean validate(Iterable<Snapshot> ancestors) {
                for (Snapshot head : ancestors) {
                    return head.snapshotId() == known.snapshotId() || holdsTheSame(head);
                }
                return known.snapshotId() == Content.NO_SNAPSHOT;
            }

            /**
             * Files may have been merged meanwhile; rows that were added are told by their keys.
             */
            private boolean holdsTheSame(Snapshot head) {
                Content now = Content.of(kind, base, head);
                return now.flaw().isEmpty()
                        && now.rows() == known.rows()
                        && Inspection.told(head, ViewTable.THROUGH).equals(Optional.of(expected));
            }

            @Override
            public String errorMessage() {
                return "somebody else has changed table " + identifier;
            }
        };
    }

    /** Deletes files that are in no snapshot. */
    void delete(List<String> locations) {
        for (String location : locations) {
            try {
                table.io().deleteFile(location);
            } catch (RuntimeException e) {
                LOG.debug("A file that is not used stays: {}", location, e);
            }
        }
    }

    void deleteFiles(List<DataFile> files) {
        delete(files.stream().map(DataFile::location).toList());
    }
}
