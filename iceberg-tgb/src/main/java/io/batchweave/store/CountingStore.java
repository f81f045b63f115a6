package io.batchweave.store;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what is asked of a store. A request counts when it is made, whether it comes out well or
 * not; what the store does below it, such as the parts of an upload, is not seen.
 */
public final class CountingStore extends ForwardingStore {
    private final ObjectStore store;
    private final LongAdder creates = new LongAdder();
    private final LongAdder uploads = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder lists = new LongAdder();
    private final LongAdder deletes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder bytesUp = new LongAdder();
    private final LongAdder bytesDown = new LongAdder();

    /** Counts the requests to {@code store}, which is closed with this. */
    public CountingStore(ObjectStore store) {
        super(store);
        this.store = store;
    }

    /** The requests so far. */
    public Requests requests() {
        return new Requests(
                creates.sum(),
                uploads.sum(),
                reads.sum(),
                lists.sum(),
                deletes.sum(),
                refused.sum(),
                unknown.sum(),
                bytesUp.sum(),
                bytesDown.sum());
    }

    @Override
    public Upload uploadInParts(String key) {
        uploads.increment();
        return new CountingUpload(store.uploadInParts(key));
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        creates.increment();
        bytesUp.add(body.remaining());
        return counted(store.create(key, body));
    }

    @Override
    public Upload upload(String key) {
        uploads.increment();
        return new CountingUpload(store.upload(key));
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        reads.increment();
        return counted(store.read(key, bytesMax));
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        reads.increment();
        return counted(store.readInto(key, offset, target));
    }

    /** Counts the bytes that came, also where the rest did not. */
    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        reads.increment();
        return store.readThrough(
                key,
                offset,
                length,
                piece -> {
                    bytesDown.add(piece.remaining());
                    sink.take(piece);
                });
    }

    @Override
    public Listing list(String folder, String after) {
        lists.increment();
        return store.list(folder, after);
    }

    @Override
    public void delete(Collection<String> keys) {
        deletes.increment();
        store.delete(keys);
    }

    private Creation counted(Creation creation) {
        if (creation instanceof Creation.Refused) {
            refused.increment();
        } else if (creation instanceof Creation.Unknown) {
            unknown.increment();
        }
        return creation;
    }

    private Fetched counted(Fetched fetched) {
        if (fetched instanceof Fetched.Found found) {
            bytesDown.add(found.body().remaining());
        }
        return fetched;
    }

    private final class CountingUpload extends ForwardingUpload {
        CountingUpload(Upload upload) {
            super(upload);
        }

        @Override
        public void write(ByteBuffer bytes) {
            int before = bytes.remaining();
            super.write(bytes);
            bytesUp.add(before);
        }

        @Override
        public Creation complete() {
            return counted(super.complete());
        }
    }
}
