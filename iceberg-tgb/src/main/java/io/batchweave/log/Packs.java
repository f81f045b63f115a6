package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commits packed by {@value Layout#PACKED} into objects that are never deleted: the history of a
 * dataset whose log is trimmed. While a commit is not in a pack nobody deletes it, so whoever finds
 * no pack has the commits as they were first written (TRIM-11).
 */
final class Packs {
    private final ObjectStore store;
    private final Layout layout;

    Packs(ObjectStore store, Layout layout) {
        this.store = store;
        this.layout = layout;
    }

    static long numberOf(long version) {
        return version / Layout.PACKED;
    }

    static long firstOf(long number) {
        return number * Layout.PACKED;
    }

    /** The commits of a pack, if it is there. */
    Optional<List<Commit>> read(long number) {
        String key = layout.pack(number);
        return store.read(key, CommitCodec.PACK_MAX) instanceof Found found
                ? Optional.of(
                        CommitCodec.decodePack(found.body(), Layout.PACKED, store.nameOf(key)))
                : Optional.empty();
    }

    /** Whether a pack is there, and stays there whatever crashes: a listing would not tell. */
    boolean isThere(long number) {
        return store.readInto(layout.pack(number), 0, ByteBuffer.allocate(1)) instanceof Found;
    }

    /**
     * Makes a pack of commits that are all there.
     *
     * @return false if it would be too large, or if one of its commits has bytes that we would not
     *     write: of what only newer software knows nothing must be lost, and what older software
     *     wrote has another schema, where a pack has one
     * @throws CorruptException if one of the commits is damaged or lost
     * @throws UnavailableException if the pack is not known to be there
     */
    boolean create(long number) {
        List<Commit> commits = new ArrayList<>();
        long bytes = 0;
        for (long version = firstOf(number); version < firstOf(number + 1); version++) {
            String key = layout.commit(version);
            Fetched fetched = store.read(key, CommitCodec.BYTES_MAX);
            if (!(fetched instanceof Found found)) {
                return isThereByNow(number, key);
            }
            Commit commit = CommitCodec.decode(found.body(), store.nameOf(key));
            bytes += found.body().remaining();
            if (bytes > CommitCodec.PACK_MAX || !CommitCodec.encode(commit).equals(found.body())) {
                return false;
            }
            commits.add(commit);
        }
        return CommitCodec.encodePack(commits).map(pack -> create(number, pack)).orElse(false);
    }

    /**
     * A commit is absent: somebody has packed and deleted it since packs were listed, or it is
     * lost.
     */
    private boolean isThereByNow(long number, String absent) {
        if (read(number).isPresent()) {
            return true;
        }
        throw new Boundaries(store, layout)
                .lost(
                        "Cannot pack "
                                + store.nameOf(absent)
                                + ": it is missing, and no pack has it; restore it; none of these commits was deleted");
    }

    private boolean create(long number, ByteBuffer pack) {
        String key = layout.pack(number);
        if (store.create(key, pack) instanceof Creation.Unknown unknown) {
            throw new UnavailableException(
                    "Cannot trim the log of "
                            + layout.dataset()
                            + ": the store did not confirm "
                            + store.nameOf(key)
                            + "; no commit of it was deleted, so try again",
                    unknown.cause());
        }
        return true;
    }
}
