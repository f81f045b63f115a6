package io.batchweave.store;

import java.nio.ByteBuffer;
import java.util.Collection;

/** A store that asks another one, for those that do something of their own at some requests. */
public abstract class ForwardingStore implements ObjectStore {
    private final ObjectStore store;

    /** Asks {@code store}, which is closed with this. */
    protected ForwardingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public String uri() {
        return store.uri();
    }

    @Override
    public Arbiter arbiter() {
        return store.arbiter();
    }

    @Override
    public Timekeeper timekeeper() {
        return store.timekeeper();
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        return store.create(key, body);
    }

    @Override
    public Upload upload(String key) {
        return store.upload(key);
    }

    @Override
    public Upload uploadInParts(String key) {
        return store.uploadInParts(key);
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return store.read(key, bytesMax);
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        return store.readInto(key, offset, target);
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        return store.readThrough(key, offset, length, sink);
    }

    @Override
    public Listing list(String folder, String after) {
        return store.list(folder, after);
    }

    @Override
    public void delete(Collection<String> keys) {
        store.delete(keys);
    }

    @Override
    public void close() {
        store.close();
    }
}
