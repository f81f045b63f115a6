package io.batchweave.catalog;

import io.batchweave.catalog.register.Change;
import io.batchweave.catalog.register.Register;
import io.batchweave.catalog.register.Version;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.util.PropertyUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The versions of one table's metadata, as Iceberg works with them. */
final class StoredTable implements TableOperations {
    private static final Logger LOG = LoggerFactory.getLogger(StoredTable.class);

    /** How Iceberg begins to say that a table is of a later format than it knows. */
    private static final String NEWER = "Cannot read unsupported version";

    private final Warehouse warehouse;
    private final TableIdentifier name;
    private final Register register;
    private final FileIO io;
    private final Runnable beforeFirst;

    private boolean loaded;
    private Optional<Version> version = Optional.empty();
    private TableMetadata metadata;

    /**
     * @param beforeFirst done before anything is created where there was no table
     */
    StoredTable(Warehouse warehouse, TableIdentifier name, FileIO io, Runnable beforeFirst) {
        this.warehouse = warehouse;
        this.name = name;
        this.register = warehouse.table(name);
        this.io = io;
        this.beforeFirst = beforeFirst;
    }

    @Override
    public synchronized TableMetadata current() {
        return loaded ? metadata : refresh();
    }

    @Override
    public synchronized TableMetadata refresh() {
        take(register.current());
        return metadata;
    }

    private void take(Optional<Version> newest) {
        boolean same = newest.isPresent() && newest.equals(version);
        if (!same) {
            TableMetadata read = newest.map(this::parsed).orElse(null);
            demandSameTable(read);
            metadata = read;
        }
        version = newest;
        loaded = true;
    }

    /** Who worked on a table that was dropped must not go on with another one of its name. */
    private void demandSameTable(TableMetadata read) {
        if (metadata != null && (read == null || !metadata.uuid().equals(read.uuid()))) {
            throw new NoSuchTableException(
                    "Table does not exist any more: %s (id %s); load it again",
                    name, metadata.uuid());
        }
    }

    private TableMetadata parsed(Version read) {
        String file = warehouse.store().nameOf(read.key());
        try {
            return TableMetadataParser.fromJson(file, read.text());
        } catch (UncheckedIOException e) {
            throw damaged(file, "it is no JSON", e);
        } catch (RuntimeException e) {
            if (String.valueOf(e.getMessage()).startsWith(NEWER)) {
                throw new UnsupportedFeatureException(
                        "Cannot read table %s: %s; upgrade".formatted(name, e.getMessage()));
            }
            throw damaged(file, e.getMessage(), e);
        }
    }

    private CorruptException damaged(String file, String why, RuntimeException cause) {
        return new CorruptException(
                "Cannot read table %s: %s is no metadata of a table that Iceberg understands (%s); restore it, or drop the table. A dataset's view is made anew by fold --rebuild"
                        .formatted(name, file, why),
                cause);
    }

    @Override
    public synchronized void commit(TableMetadata base, TableMetadata next) {
        if (base != current()) {
            throw base == null
                    ? new AlreadyExistsException("Cannot create table %s: it exists", name)
                    : new CommitFailedException(
                            "Cannot commit to table %s: it changed since it was read", name);
        }
        if (base == next) {
            return;
        }
        checkPlaces(base == null ? location() : base.location(), next);
        checkIdentity(base, next);
        Change change = base == null ? created(next) : changed(next);
        if (change instanceof Change.Made made) {
            take(Optional.of(made.version()));
            tidied(next);
        } else if (change instanceof Change.Lost lost) {
            loaded = false;
            throw base == null
                    ? new AlreadyExistsException("Cannot create table %s: %s", name, lost.why())
                    : new CommitFailedException("Cannot commit to table %s: %s", name, lost.why());
        } else if (change instanceof Change.Unknown unknown) {
            loaded = false;
            throw new CommitStateUnknownException(
                    "Cannot tell whether a commit to table %s is in: %s"
                            .formatted(name, unknown.why()),
                    unknown.cause());
        }
    }

    private Change created(TableMetadata next) {
        beforeFirst.run();
        if (!warehouse.exists(name.namespace())) {
            throw new NoSuchNamespaceException(
                    "Cannot create table %s: there is no namespace %s; create it",
                    name, name.namespace());
        }
        if (warehouse.holdsMoreThanTables(CatalogNames.folder(name))) {
            throw new AlreadyExistsException(
                    "Cannot create table %s: a dataset lies there; choose another name", name);
        }
        return register.begin(TableMetadataParser.toJson(next));
    }

    private Change changed(TableMetadata next) {
        return register.change(version.orElseThrow(), TableMetadataParser.toJson(next));
    }

    /** Others may have written the same place in another way, which then stays as it is. */
    private void checkPlaces(String place, TableMetadata next) {
        if (!next.location().equals(place)) {
            throw new ValidationException(
                    "Cannot put table %s at %s: a table of this catalog lies at %s",
                    name, next.location(), place);
        }
        if (next.properties().containsKey(TableProperties.WRITE_METADATA_LOCATION)) {
            throw new ValidationException(
                    "Cannot set property %s of table %s: its metadata lies in its folder",
                    TableProperties.WRITE_METADATA_LOCATION, name);
        }
    }

    /** Whoever works on a table knows it by its id. */
    private void checkIdentity(TableMetadata base, TableMetadata next) {
        if (base != null && !base.uuid().equals(next.uuid())) {
            throw new ValidationException(
                    "Cannot give table %s the id %s: it has %s, and keeps it",
                    name, next.uuid(), base.uuid());
        }
    }

    /** The commit is in; that old metadata may stay for the next one to delete is no failure. */
    private void tidied(TableMetadata next) {
        boolean deletes =
                PropertyUtil.propertyAsBoolean(
                        next.properties(),
                        TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
                        TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED_DEFAULT);
        if (deletes) {
            try {
                register.tidy(
                        PropertyUtil.propertyAsInt(
                                next.properties(),
                                TableProperties.METADATA_PREVIOUS_VERSIONS_MAX,
                                TableProperties.METADATA_PREVIOUS_VERSIONS_MAX_DEFAULT));
            } catch (UnavailableException e) {
                LOG.warn("Cannot delete old metadata of table {}: {}", name, e.getMessage());
            }
        }
    }

    private String location() {
        return warehouse.store().nameOf(CatalogNames.folder(name));
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public String metadataFileLocation(String file) {
        return warehouse.store().nameOf(warehouse.metadata(name) + "/" + file);
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(location(), current().properties());
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
        return new UncommittedTable(this, uncommitted);
    }
}
