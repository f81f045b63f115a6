package io.batchweave.testing;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;

/** A store whose uploads fail while they are written, and are counted until they are closed. */
public final class WeakStore extends ForwardingStore {
    private final ObjectStore store;
    private int openUploads;
    private boolean failing;

    public WeakStore(ObjectStore store) {
        super(store);
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
        openUploads++;
        return new ForwardingUpload(store.upload(key)) {
            private boolean open = true;

            @Override
            public void write(ByteBuffer bytes) {
                if (failing) {
                    throw new UnavailableException("Cannot write to " + key + ": planned");
                }
                super.write(bytes);
            }

            @Override
            public void close() {
                openUploads -= open ? 1 : 0;
                open = false;
                super.close();
            }
        };
    }
}
