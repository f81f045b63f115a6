package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.store.Fetched;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All commits that there ever were, also those that are trimmed. Not safe for use by several
 * threads.
 *
 * <p>What lies at a version in the log may be there for the second time, so it counts only if no
 * boundary is behind it; what lies in a pack always counts. Who reads one commit after the other
 * asks for that once for many.
 */
public final class History {
    private static final int AHEAD_MAX = 16;
    private static final long AHEAD_BYTES = 8 << 20;

    private final ObjectStore store;
    private final Layout layout;
    private final Boundaries boundaries;
    private final Packs packs;

    private long first = -1;
    private List<Commit> commits = List.of();
    private long trimmed = -1;
    private String lastObject = "";

    public History(ObjectStore store, DatasetName dataset) {
        this.store = store;
        this.layout = new Layout(dataset);
        this.boundaries = new Boundaries(store, layout);
        this.packs = new Packs(store, layout);
    }

    /**
     * The commit of a version, if there is one yet.
     *
     * @throws io.batchweave.errors.FencedException if the dataset was dropped
     * @throws io.batchweave.errors.CorruptException if it is damaged
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    public Optional<Commit> read(long version) {
        boolean isNext = version == first + commits.size();
        if (version < first || version >= first + commits.size()) {
            take(version, isNext ? AHEAD_MAX : 1);
        }
        int index = (int) (version - first);
        return index < commits.size() ? Optional.of(commits.get(index)) : Optional.empty();
    }

    /** The object that was looked at last: the one that is damaged, if {@link #read} says so. */
    public String lastObject() {
        return lastObject;
    }

    private void take(long version, int most) {
        boolean isTaken = version > trimmed && takeUntrimmed(version, most);
        if (!isTaken && !takePack(version)) {
            long packEnd = Packs.firstOf(Packs.numberOf(version) + 1);
            List<Commit> found = commits(version, (int) Math.min(most, packEnd - version));
            // Nobody deletes a commit before it is packed.
            if (!takePack(version)) {
                demandFound(version, found);
                keep(version, found);
            }
        }
    }

    private void demandFound(long version, List<Commit> found) {
        if (found.isEmpty()) {
            throw boundaries.lost(
                    "Cannot read "
                            + store.nameOf(layout.commit(version))
                            + ": it is trimmed, and "
                            + store.nameOf(layout.pack(Packs.numberOf(version)))
                            + " is missing; restore it");
        }
    }

    private boolean takeUntrimmed(long version, int most) {
        List<Commit> found = commits(version, most);
        List<Boundary> news = boundaries.after(trimmed);
        boundaries.demandNoTombstone(news);
        trimmed = news.stream().mapToLong(Boundary::version).max().orElse(trimmed);
        if (version > trimmed) {
            keep(version, found);
        }
        return version > trimmed;
    }

    private boolean takePack(long version) {
        lastObject = layout.pack(Packs.numberOf(version));
        Optional<List<Commit>> pack = packs.read(Packs.numberOf(version));
        pack.ifPresent(packed -> keep(Packs.firstOf(Packs.numberOf(version)), packed));
        return pack.isPresent();
    }

    private void keep(long from, List<Commit> found) {
        first = from;
        commits = found;
    }

    private List<Commit> commits(long from, int most) {
        List<Commit> found = new ArrayList<>();
        long bytes = 0;
        boolean isMore = true;
        while (isMore && found.size() < most && bytes < AHEAD_BYTES) {
            String key = layout.commit(from + found.size());
            lastObject = key;
            Fetched fetched = store.read(key, CommitCodec.BYTES_MAX);
            isMore = fetched instanceof Found;
            if (fetched instanceof Found next) {
                bytes += next.body().remaining();
                isMore = add(next, key, found);
            }
        }
        return found;
    }

    /**
     * Adds a commit; false if it is not the first and damaged, which is said when it is asked for.
     */
    private boolean add(Found next, String key, List<Commit> found) {
        try {
            found.add(CommitCodec.decode(next.body(), store.nameOf(key)));
            return true;
        } catch (BatchWeaveException e) {
            if (found.isEmpty()) {
                throw e;
            }
            return false;
        }
    }
}
