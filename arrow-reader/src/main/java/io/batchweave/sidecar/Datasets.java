package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.CountingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The datasets that are read, each opened once and closed after its last reader. Thread-safe. */
final class Datasets {
    private final World world;
    private final Function<String, ObjectStore> stores;
    private final InTurn<String> opening = new InTurn<>();
    private final Map<String, Shared> open = new HashMap<>();

    /**
     * @param stores opens the store of a warehouse
     */
    Datasets(World world, Function<String, ObjectStore> stores) {
        this.world = world;
        this.stores = stores;
    }

    private static final class Shared {
        private final OpenDataset dataset;
        private int readers = 1;

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
    OpenDataset open(String warehouse, String name) {
        if (!warehouse.startsWith("/") && !warehouse.contains(":")) {
            throw new InvalidRequestException(
                    "Cannot open warehouse '"
                            + warehouse
                            + "': its path is relative, and the sidecar stands in another folder; give"
                            + " the absolute path");
        }
        String key = key(warehouse, name);
        return opening.with(
                key, () -> joined(key).orElseGet(() -> registered(key, opened(warehouse, name))));
    }

    private synchronized Optional<OpenDataset> joined(String key) {
        Optional<Shared> shared = Optional.ofNullable(open.get(key));
        shared.ifPresent(each -> each.readers++);
        return shared.map(each -> each.dataset);
    }

    private synchronized OpenDataset registered(String key, OpenDataset dataset) {
        open.put(key, new Shared(dataset));
        return dataset;
    }

    private OpenDataset opened(String warehouse, String name) {
        DatasetName parsed = DatasetName.parse(name);
        CountingStore store = new CountingStore(stores.apply(warehouse));
        try {
            Log log = Log.open(store, parsed, world, LogLimits.DEFAULT);
            return new OpenDataset(store, log, PayloadSchema.parse(log.state().dataset().schema()));
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /** One reader fewer. */
    void close(String warehouse, String name) {
        without(key(warehouse, name)).ifPresent(unread -> unread.store().close());
    }

    /** The dataset, if nobody reads it any more. */
    private synchronized Optional<OpenDataset> without(String key) {
        Shared shared = open.get(key);
        shared.readers--;
        if (shared.readers > 0) {
            return Optional.empty();
        }
        open.remove(key);
        return Optional.of(shared.dataset);
    }

    /** Those that are open. */
    synchronized List<OpenDataset> all() {
        return open.values().stream().map(shared -> shared.dataset).toList();
    }

    private static String key(String warehouse, String name) {
        return warehouse + " " + name;
    }
}
