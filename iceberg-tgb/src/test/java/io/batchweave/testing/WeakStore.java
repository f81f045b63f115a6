package io.batchweave.testing;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Arbiter;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.Collection;

/** A store whose uploads fail while they are written, and are counted until they are closed. */
public final class WeakStore implements ObjectStore {
    private final ObjectStore store;
    private int openUploads;
    private boolean failing;

    public WeakStore(ObjectStore store) {
        this.store = store;
    }

    /** From now on the store takes no bytes of any upload. */
    public void failWrites() {
        failing = true;
    }

    /** From now on it takes them again. */
    public void recover() {
        failing = false;
    }

    /** Uploads that nobody has closed. */
    public int openUploads() {
        return openUploads;
    }

    @Override
    public Upload upload(String key) {
        Upload upload = store.upload(key);
        openUploads++;
        return new Upload() {
            private boolean open = true;

            @Override
            public void write(ByteBuffer bytes) {
                if (failing) {
                    throw new UnavailableException("Cannot write to " + key + ": planned");
                }
                upload.write(bytes);
            }

            @Override
            public Creation complete() {
                return upload.complete();
            }

            @Override
            public void close() {
                openUploads -= open ? 1 : 0;
                open = false;
                upload.close();
            }
        };
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
    public Creation create(String key, ByteBuffer body) {
        return store.create(key, body);
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
