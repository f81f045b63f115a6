package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Layout;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** The commits of one dataset as objects, and the store's time as their answers tell it. */
final class Commits {
    private static final String WRITER = "batchweave/" + version();

    private final ObjectStore store;
    private final Layout layout;
    private final World world;
    private volatile Duration storeAhead = Duration.ZERO;

    /** The store's time in the latest answer, or null. */
    private volatile Instant latest;

    Commits(ObjectStore store, Layout layout, World world) {
        this.store = store;
        this.layout = layout;
        this.world = world;
    }

    /** A new commit of these entries, with the store's time. */
    Commit commit(List<Entry> entries) {
        return new Commit(world.newId(), now().truncatedTo(ChronoUnit.MILLIS), WRITER, entries);
    }

    /** The store's time. */
    Instant now() {
        return world.clock().instant().plus(storeAhead);
    }

    /** The commit of a version, if it is there. */
    Optional<Commit> read(long version) {
        String key = layout.commit(version);
        Fetched fetched = store.read(key, CommitCodec.BYTES_MAX);
        if (fetched instanceof Fetched.Found found) {
            observe(found.at());
            return Optional.of(CommitCodec.decode(found.body(), key + " in " + store.uri()));
        }
        observe(((Fetched.Absent) fetched).at());
        return Optional.empty();
    }

    Creation offer(long version, ByteBuffer body) {
        Creation offer = store.create(layout.commit(version), body.duplicate());
        if (offer instanceof Creation.Done done) {
            observe(done.at());
        }
        return offer;
    }

    /** The store's time in the latest answer; empty: there was none yet. */
    Optional<Instant> latest() {
        return Optional.ofNullable(latest);
    }

    /** Learns how far the store's clock is ahead of ours. */
    private void observe(Instant storeTime) {
        latest = storeTime;
        storeAhead = Duration.between(world.clock().instant(), storeTime);
    }

    /** Whether there are commits behind the one after {@code head}; foreign names do not count. */
    boolean isAnythingBeyond(long head) {
        String end = layout.commit(head + 1);
        String folder = end.substring(0, end.lastIndexOf('/'));
        return store.list(layout.commits(), "").folders().stream()
                        .map(name -> layout.commits() + "/" + name)
                        .anyMatch(other -> isVersion(other) && other.compareTo(folder) > 0)
                || store.list(folder, end).objects().stream()
                        .anyMatch(item -> isVersion(item.key()));
    }

    static boolean isVersion(String key) {
        return Layout.number(key).isPresent();
    }

    CorruptException lost(long version) {
        return new CorruptException(
                "Cannot open dataset "
                        + layout.dataset()
                        + " in "
                        + store.uri()
                        + ": "
                        + layout.commit(version)
                        + " is missing, and there are commits behind it; restore it, and write nothing before");
    }

    private static String version() {
        String version = Log.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
