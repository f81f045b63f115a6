package io.batchweave.longlife;

import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Timekeeper;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that knows how much payload lies in it. It tells no time, as a local disk, so that
 * nothing is too young to be trimmed.
 */
final class LivePayload extends ForwardingStore {
    private final ObjectStore store;
    private final Map<String, Long> objects = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    LivePayload(ObjectStore store) {
        super(store);
        this.store = store;
    }

    long bytes() {
        return bytes.get();
    }

    /** The most there ever was. */
    long peakBytes() {
        return peak.get();
    }

    @Override
    public Timekeeper timekeeper() {
        return Timekeeper.CALLER;
    }

    @Override
    public Upload upload(String key) {
        return new Counted(key, store.upload(key));
    }

    @Override
    public void delete(Collection<String> keys) {
        store.delete(keys);
        for (String key : keys) {
            Long length = objects.remove(key);
            bytes.addAndGet(length == null ? 0 : -length);
        }
    }

    private final class Counted implements Upload {
        private final String key;
        private final Upload upload;
        private long length;

        Counted(String key, Upload upload) {
            this.key = key;
            this.upload = upload;
        }

        @Override
        public void write(ByteBuffer body) {
            length += body.remaining();
            upload.write(body);
        }

        @Override
        public Creation complete() {
            Creation creation = upload.complete();
            if (creation instanceof Creation.Done) {
                objects.put(key, length);
                long now = bytes.addAndGet(length);
                peak.accumulateAndGet(now, Math::max);
            }
            return creation;
        }

        @Override
        public void close() {
            upload.close();
        }
    }
}
