package io.batchweave.bench.commits;

import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.Upload;
import io.batchweave.world.Pause;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;

/** A store that is farther away: each request takes so much longer. */
final class SlowStore extends ForwardingStore {
    private final ObjectStore store;
    private final Pause pause;
    private final Duration latency;

    SlowStore(ObjectStore store, Pause pause, Duration latency) {
        super(store);
        this.store = store;
        this.pause = pause;
        this.latency = latency;
    }

    private ObjectStore reached() {
        pause.pause(latency);
        return store;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        return reached().create(key, body);
    }

    @Override
    public Upload upload(String key) {
        return reached().upload(key);
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return reached().read(key, bytesMax);
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        return reached().readInto(key, offset, target);
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        return reached().readThrough(key, offset, length, sink);
    }

    @Override
    public Listing list(String folder, String after) {
        return reached().list(folder, after);
    }

    @Override
    public void delete(Collection<String> keys) {
        reached().delete(keys);
    }

    @Override
    public void close() {
        // The store below is somebody else's.
    }
}
