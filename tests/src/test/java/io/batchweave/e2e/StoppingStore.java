package io.batchweave.e2e;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Timekeeper;
import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * A store that lets so many changes through and then none, as for a process that is killed between
 * two of them. It tells no time, as a local disk, so that nothing is too young to be trimmed.
 */
final class StoppingStore extends ForwardingStore {
    private final ObjectStore store;
    private final long changesMax;
    private long changes;

    StoppingStore(ObjectStore store, long changesMax) {
        super(store);
        this.store = store;
        this.changesMax = changesMax;
    }

    /** How many it has let through. */
    long changes() {
        return changes;
    }

    private void change() {
        if (changes == changesMax) {
            throw new UnavailableException("Cannot change anything: " + changes + " are enough");
        }
        changes++;
    }

    @Override
    public Timekeeper timekeeper() {
        return Timekeeper.CALLER;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        change();
        return store.create(key, body);
    }

    @Override
    public void delete(Collection<String> keys) {
        change();
        store.delete(keys);
    }
}
