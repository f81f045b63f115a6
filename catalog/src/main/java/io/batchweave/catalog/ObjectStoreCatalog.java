package io.batchweave.catalog;

import io.batchweave.catalog.files.ObjectStoreFileIO;
import io.batchweave.store.Arbiter;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.BaseMetastoreCatalog;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ValidationException;

/**
 * An Iceberg catalog that is nothing but a warehouse: a folder or a URI of a store, given as
 * property {@code warehouse}. Safe for use by many threads and processes.
 *
 * <p>Tables are not renamed or moved, namespaces have one level, and names are those of datasets: 1
 * to 128 letters, digits, '_' or '-', starting with a letter or digit.
 */
public final class ObjectStoreCatalog extends BaseMetastoreCatalog implements SupportsNamespaces {
    private final AtomicBoolean probed = new AtomicBoolean();

    private String name = "batchweave";
    private Map<String, String> properties = Map.of();
    private ObjectStore owned;
    private ObjectStoreFileIO io;
    private Warehouse warehouse;
    private Namespaces namespaces;

    /** To be initialised, as Iceberg does with what a property {@code catalog-impl} names. */
    public ObjectStoreCatalog() {}

    /** Over an open store, which this does not close. */
    public ObjectStoreCatalog(ObjectStore store, World world) {
        begin(store, world, Map.of(CatalogProperties.WAREHOUSE_LOCATION, store.uri()));
    }

    @Override
    public void initialize(String given, Map<String, String> settings) {
        String uri = settings.get(CatalogProperties.WAREHOUSE_LOCATION);
        if (uri == null || uri.isBlank()) {
            throw new ValidationException(
                    "Cannot open catalog %s: property %s is missing; name a folder or a URI",
                    given, CatalogProperties.WAREHOUSE_LOCATION);
        }
        String files = settings.getOrDefault(CatalogProperties.FILE_IO_IMPL, "");
        if (!files.isEmpty() && !files.equals(ObjectStoreFileIO.class.getName())) {
            throw new ValidationException(
                    "Cannot open catalog %s with %s %s: it reads and writes files itself; leave the"
                            + " property away",
                    given, CatalogProperties.FILE_IO_IMPL, files);
        }
        World world = World.real();
        name = given;
        owned = Stores.make(uri, world);
        begin(owned, world, settings);
    }

    private void begin(ObjectStore store, World world, Map<String, String> settings) {
        properties = Collections.unmodifiableMap(new HashMap<>(settings));
        Map<String, String> ofFiles = new HashMap<>(settings);
        ofFiles.put(CatalogProperties.WAREHOUSE_LOCATION, store.uri());
        io = new ObjectStoreFileIO(store, ofFiles);
        warehouse = new Warehouse(store, world);
        namespaces = new Namespaces(warehouse, this::demandConditions);
    }

    /**
     * A server that ignores conditions loses commits silently; it is asked once, before writing.
     */
    private void demandConditions() {
        ObjectStore store = warehouse.store();
        if (store.arbiter() == Arbiter.SERVER && !probed.get()) {
            Probe.demandConditions(
                    store, "probe/" + warehouse.world().newId(), "create namespaces and tables");
            probed.set(true);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    protected Map<String, String> properties() {
        return properties;
    }

    @Override
    protected boolean isValidIdentifier(TableIdentifier table) {
        return CatalogNames.isTable(table);
    }

    @Override
    protected TableOperations newTableOps(TableIdentifier table) {
        CatalogNames.demand(table);
        return new StoredTable(warehouse, table, io, this::demandConditions);
    }

    @Override
    protected String defaultWarehouseLocation(TableIdentifier table) {
        return warehouse.store().nameOf(CatalogNames.folder(table));
    }

    @Override
    public TableBuilder buildTable(TableIdentifier table, Schema schema) {
        CatalogNames.demand(table);
        return super.buildTable(table, schema);
    }

    @Override
    public boolean tableExists(TableIdentifier table) {
        return CatalogNames.isTable(table)
                ? warehouse.table(table).exists()
                : super.tableExists(table);
    }

    @Override
    public List<TableIdentifier> listTables(Namespace namespace) {
        namespaces.demand(namespace);
        return warehouse.tables(namespace);
    }

    @Override
    public boolean dropTable(TableIdentifier table, boolean purge) {
        return CatalogNames.isTable(table) && new Removal(warehouse, table, io).run(purge);
    }

    @Override
    public void renameTable(TableIdentifier from, TableIdentifier to) {
        throw new UnsupportedOperationException(
                "Cannot rename table %s to %s: a table is a folder, and stores move none; write it to a new table"
                        .formatted(from, to));
    }

    /**
     * Makes a table of a metadata file of a table that lay at the same place, such as the one that
     * stays when a table is dropped.
     */
    @Override
    public Table registerTable(TableIdentifier table, String metadataLocation) {
        CatalogNames.demand(table);
        return super.registerTable(table, metadataLocation);
    }

    @Override
    public void createNamespace(Namespace namespace, Map<String, String> metadata) {
        namespaces.createNamespace(namespace, metadata);
    }

    @Override
    public List<Namespace> listNamespaces(Namespace namespace) {
        return namespaces.listNamespaces(namespace);
    }

    @Override
    public Map<String, String> loadNamespaceMetadata(Namespace namespace) {
        return namespaces.loadNamespaceMetadata(namespace);
    }

    @Override
    public boolean dropNamespace(Namespace namespace) {
        return namespaces.dropNamespace(namespace);
    }

    @Override
    public boolean setProperties(Namespace namespace, Map<String, String> changed) {
        return namespaces.setProperties(namespace, changed);
    }

    @Override
    public boolean removeProperties(Namespace namespace, Set<String> names) {
        return namespaces.removeProperties(namespace, names);
    }

    @Override
    public boolean namespaceExists(Namespace namespace) {
        return namespaces.namespaceExists(namespace);
    }

    @Override
    public void close() throws IOException {
        super.close();
        if (owned != null) {
            owned.close();
        }
    }
}
