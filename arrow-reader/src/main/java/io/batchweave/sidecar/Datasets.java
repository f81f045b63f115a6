package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The datasets that are read, each opened once and closed after its last reader. Thread-safe. */
final class Datasets {
    private final World world;
    private final Map<String, Shared> open = new HashMap<>();

    Datasets(World world) {
        this.world = world;
    }

    private static final class Shared {
        private final OpenDataset dataset;
        private int readers;

        Shared(OpenDataset dataset) {
            this.dataset = dataset;
        }
    }

    /**
     * Opens a dataset for one more reader, which closes it.
     *
     * @param warehouse a URI, or the absolute path of a local folder
     * @throws InvalidRequestException if it is a relative path: this process stands elsewhere
     */
    synchronized OpenDataset open(String warehouse, String name) {
        if (!warehouse.startsWith("/") && !warehouse.contains(":")) {
            throw new InvalidRequestException(
                    "Cannot open warehouse '"
                            + warehouse
                            + "': its path is relative, and the sidecar stands in another folder; give"
                            + " the absolute path");
        }
        Shared shared = open.get(key(warehouse, name));
        if (shared == null) {
            shared = new Shared(opened(warehouse, name));
            open.put(key(warehouse, name), shared);
        }
        shared.readers++;
        return shared.dataset;
    }

    private OpenDataset opened(String warehouse, String name) {
        DatasetName parsed = DatasetName.parse(name);
        CountingStore store = new CountingStore(Stores.open(warehouse, world));
        try {
            Log log = Log.open(store, parsed, world, LogLimits.DEFAULT);
            return new OpenDataset(store, log, PayloadSchema.parse(log.state().dataset().schema()));
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /** One reader fewer. */
    synchronized void close(String warehouse, String name) {
        Shared shared = open.get(key(warehouse, name));
        shared.readers--;
        if (shared.readers == 0) {
            open.remove(key(warehouse, name));
            shared.dataset.store().close();
        }
    }

    /** Those that are open. */
    synchronized List<OpenDataset> all() {
        return open.values().stream().map(shared -> shared.dataset).toList();
    }

    private static String key(String warehouse, String name) {
        return warehouse + " " + name;
    }
}
