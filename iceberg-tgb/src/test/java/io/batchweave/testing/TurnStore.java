package io.batchweave.testing;

import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.function.Supplier;

/** A host's way to a store: every call is a move of {@link Turns}. */
final class TurnStore extends ForwardingStore {
    private final Turns turns;
    private final Host host;
    private final ObjectStore store;

    TurnStore(Turns turns, Host host, ObjectStore store) {
        super(store);
        this.turns = turns;
        this.host = host;
        this.store = store;
    }

    private <T> T move(String verb, String key, Supplier<T> call) {
        turns.move(host, verb, key);
        T answer = call.get();
        if (answer instanceof Record) {
            turns.note(answer.getClass().getSimpleName());
        }
        return answer;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        return move(Move.CREATE, key, () -> store.create(key, body));
    }

    @Override
    public Upload upload(String key) {
        Upload upload = move(Move.UPLOAD, key, () -> store.upload(key));
        return new ForwardingUpload(upload) {
            @Override
            public void write(ByteBuffer bytes) {
                turns.move(host, Move.WRITE, key);
                super.write(bytes);
            }

            @Override
            public Creation complete() {
                return move(Move.COMPLETE, key, super::complete);
            }
        };
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return move(Move.READ, key, () -> store.read(key, bytesMax));
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        return move(Move.READ, key, () -> store.readInto(key, offset, target));
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        return move(Move.READ, key, () -> store.readThrough(key, offset, length, sink));
    }

    @Override
    public Listing list(String folder, String after) {
        return move(Move.LIST, folder, () -> store.list(folder, after));
    }

    @Override
    public void delete(Collection<String> keys) {
        turns.move(host, Move.DELETE, String.join(" ", keys));
        store.delete(keys);
    }

    /** What a host holds ends with it; the store is everybody's. */
    @Override
    public void close() {}
}
