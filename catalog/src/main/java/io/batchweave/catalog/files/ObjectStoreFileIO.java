package io.batchweave.catalog.files;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;

/**
 * Reads and writes files of tables in a store. Property {@code warehouse} names the store, which is
 * opened when it is first needed: so this can be sent to other processes.
 *
 * <p>Files are write-once; to overwrite one is refused.
 */
public final class ObjectStoreFileIO implements SupportsBulkOperations {
    private static final long serialVersionUID = 1L;
    private static final int DELETED_AT_ONCE = 1_000;

    private HashMap<String, String> properties = new HashMap<>();
    private transient ObjectStore store;
    private transient boolean owned;

    /** To be initialised. */
    public ObjectStoreFileIO() {}

    /**
     * Over an open store, which this does not close.
     *
     * @param properties by which it is opened again in other processes
     */
    public ObjectStoreFileIO(ObjectStore store, Map<String, String> properties) {
        this.store = store;
        this.properties = new HashMap<>(properties);
    }

    @Override
    public void initialize(Map<String, String> given) {
        this.properties = new HashMap<>(given);
    }

    @Override
    public Map<String, String> properties() {
        return Collections.unmodifiableMap(properties);
    }

    @Override
    public InputFile newInputFile(String location) {
        return new StoredInput(opened(), keyOf(location), location, OptionalLong.empty());
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        return new StoredInput(opened(), keyOf(location), location, OptionalLong.of(length));
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new StoredOutput(opened(), keyOf(location), location);
    }

    @Override
    public void deleteFile(String location) {
        opened().delete(List.of(keyOf(location)));
    }

    @Override
    public void deleteFiles(Iterable<String> locations) {
        List<String> keys = new ArrayList<>();
        for (String location : locations) {
            keys.add(keyOf(location));
            if (keys.size() == DELETED_AT_ONCE) {
                opened().delete(keys);
                keys.clear();
            }
        }
        if (!keys.isEmpty()) {
            opened().delete(keys);
        }
    }

    /**
     * Whether a location is one in this folder of the store, or below it, however it is written.
     */
    public boolean isIn(String folder, String location) {
        try {
            return keyOf(location).startsWith(folder + "/");
        } catch (ValidationException e) {
            // No key of this store leads there.
            return false;
        }
    }

    private String keyOf(String location) {
        return new Locations(opened().uri()).key(location);
    }

    private synchronized ObjectStore opened() {
        if (store == null) {
            String warehouse = properties.get(CatalogProperties.WAREHOUSE_LOCATION);
            if (warehouse == null) {
                throw new ValidationException(
                        "Cannot open files: property %s is missing; name a folder or a URI",
                        CatalogProperties.WAREHOUSE_LOCATION);
            }
            store = Stores.open(warehouse, World.real());
            owned = true;
        }
        return store;
    }

    @Override
    public synchronized void close() {
        if (owned) {
            owned = false;
            ObjectStore opened = store;
            store = null;
            opened.close();
        }
    }
}
