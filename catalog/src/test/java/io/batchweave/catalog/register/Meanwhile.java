package io.batchweave.catalog.register;

import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A store whose first call of a kind returns only when other things have happened. */
final class Meanwhile extends ForwardingStore {
    private final ObjectStore store;
    private final String kind;
    private Optional<Runnable> others;

    Meanwhile(ObjectStore store, Runnable others, String kind) {
        super(store);
        this.store = store;
        this.others = Optional.of(others);
        this.kind = kind;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        Creation creation = store.create(key, body);
        pass("CREATE");
        return creation;
    }

    @Override
    public Listing list(String folder, String after) {
        Listing listing = store.list(folder, after);
        pass("LIST");
        return listing;
    }

    private void pass(String call) {
        if (call.equals(kind)) {
            Optional<Runnable> now = others;
            others = Optional.empty();
            now.ifPresent(Runnable::run);
        }
    }
}
