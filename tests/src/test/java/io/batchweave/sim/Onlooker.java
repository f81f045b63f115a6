package io.batchweave.sim;

import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Timekeeper;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The store, and all that was ever in it: what each version of the log was when it was first
 * created, whatever became of it.
 */
final class Onlooker extends ForwardingStore {
    private final ObjectStore store;
    private final Layout layout;
    private final Timekeeper timekeeper;
    private final NavigableMap<Long, Commit> commits = new TreeMap<>();
    private final Set<String> created = new HashSet<>();

    /**
     * @param timekeeper whether the store tells its own time
     */
    Onlooker(ObjectStore store, Layout layout, Timekeeper timekeeper) {
        super(store);
        this.store = store;
        this.layout = layout;
        this.timekeeper = timekeeper;
        for (long version = 0; commit(store, version).isPresent(); version++) {
            commits.put(version, commit(store, version).get());
            created.add(layout.commit(version));
        }
    }

    private Optional<Commit> commit(ObjectStore from, long version) {
        String key = layout.commit(version);
        return from.read(key, CommitCodec.BYTES_MAX) instanceof Fetched.Found found
                ? Optional.of(CommitCodec.decode(found.body(), key))
                : Optional.empty();
    }

    @Override
    public Timekeeper timekeeper() {
        return timekeeper;
    }

    /** The commit that was first created at a version. */
    Optional<Commit> commit(long version) {
        return Optional.ofNullable(commits.get(version));
    }

    /** The versions of all commits there ever were. */
    List<Long> versions() {
        return List.copyOf(commits.keySet());
    }

    /** Whether an object was ever there. */
    boolean wasCreated(String key) {
        return created.contains(key);
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        return noted(key, body.duplicate(), store.create(key, body));
    }

    private Creation noted(String key, ByteBuffer body, Creation outcome) {
        if (outcome instanceof Creation.Done) {
            created.add(key);
            if (key.startsWith(layout.commits() + "/")) {
                long version = Long.parseLong(key.substring(key.lastIndexOf('/') + 1));
                commits.putIfAbsent(version, CommitCodec.decode(body, key));
            }
        }
        return outcome;
    }

    @Override
    public Upload upload(String key) {
        return new ForwardingUpload(store.upload(key)) {
            @Override
            public Creation complete() {
                return noted(key, ByteBuffer.allocate(0), super.complete());
            }
        };
    }
}
