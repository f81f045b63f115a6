package io.batchweave.log;

import io.batchweave.codec.SegmentCodec;
import io.batchweave.codec.StateCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Layout;
import io.batchweave.state.Segment;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * States and segments as objects. A State is there only if all its segments are, so whoever finds
 * one can look up every step (LOG-11).
 */
final class SavedStates {
    /** So many States are left: who has seen one in a listing has time to read it. */
    private static final int KEPT = 3;

    /** So often a State may be gone that was there when States were listed. */
    private static final int LOOKS_MAX = 100;

    private final ObjectStore store;
    private final Layout layout;

    SavedStates(ObjectStore store, Layout layout) {
        this.store = store;
        this.layout = layout;
    }

    /** The newest State, if it is newer than this version. */
    Optional<State> newerThan(long version) {
        for (int looks = 0; looks < LOOKS_MAX; looks++) {
            List<Long> versions = versions();
            if (versions.isEmpty() || last(versions) <= version) {
                return Optional.empty();
            }
            String key = layout.state(last(versions));
            if (store.read(key, StateCodec.BYTES_MAX) instanceof Found found) {
                return Optional.of(read(last(versions), found));
            }
            // A newer one was saved, and this one was deleted since: look again.
        }
        throw new UnavailableException(
                "Cannot open dataset "
                        + layout.dataset()
                        + " in "
                        + store.uri()
                        + ": its saved States go away faster than they can be read; try again");
    }

    private State read(long version, Found found) {
        String name = store.nameOf(layout.state(version));
        State state = StateCodec.decode(found.body(), name);
        if (state.version() != version) {
            throw new CorruptException(
                    "Cannot read " + name + ": it is the State of version " + state.version());
        }
        return state;
    }

    /** The versions of which there are States, ascending. */
    List<Long> versions() {
        return store.list(layout.states(), "").objects().stream()
                .map(item -> Layout.number(item.key()))
                .flatMap(Optional::stream)
                .toList();
    }

    static long last(List<Long> versions) {
        return versions.get(versions.size() - 1);
    }

    /**
     * Saves a State, and before it the segments that may not be there yet; then deletes States that
     * nobody needs any more. Nothing is written if there is a newer one, or if it is too large.
     *
     * @return the version up to which it is saved now; -1: none
     * @throws UnavailableException if it is not known to be there
     * @throws CorruptException if something else is in its place
     */
    long save(State state, Collection<Segment> unsaved) {
        List<Long> versions = versions();
        if (!versions.isEmpty() && last(versions) >= state.version()) {
            if (!isDurable(layout.state(last(versions)))) {
                return -1;
            }
            // Who saved the newest may have been killed before it deleted what it replaces.
            deleteOld(versions);
            return last(versions);
        }
        Optional<ByteBuffer> body = StateCodec.encode(state);
        if (body.isEmpty()) {
            return -1;
        }
        for (Segment segment : unsaved) {
            SegmentRef ref = segment.ref();
            create(
                    layout.segment(ref.firstStep(), ref.lastStep()),
                    SegmentCodec.encode(segment),
                    SegmentCodec.BYTES_MAX,
                    there -> isSame(segment, there));
        }
        create(
                layout.state(state.version()),
                body.get(),
                StateCodec.BYTES_MAX,
                there -> read(state.version(), there).equals(state));
        List<Long> now = new ArrayList<>(versions);
        now.add(state.version());
        deleteOld(now);
        return state.version();
    }

    /** What was listed may be gone after a crash; what was read is not. */
    private boolean isDurable(String key) {
        return store.readInto(key, 0, ByteBuffer.allocate(1)) instanceof Found;
    }

    private void deleteOld(List<Long> versions) {
        int old = versions.size() - KEPT;
        if (old > 0) {
            store.delete(versions.subList(0, old).stream().map(layout::state).toList());
        }
    }

    /** What other software wrote may have other bytes, and must say the same. */
    private boolean isSame(Segment segment, Found there) {
        SegmentRef ref = segment.ref();
        String name = store.nameOf(layout.segment(ref.firstStep(), ref.lastStep()));
        return SegmentCodec.decode(there.body(), name).equals(segment);
    }

    private void create(
            String key, ByteBuffer body, int bytesMax, Function<Found, Boolean> isSame) {
        if (store.create(key, body) instanceof Creation.Done) {
            return;
        }
        // It may have been there before, or have come of this very attempt (STORE-2).
        Fetched fetched = store.read(key, bytesMax);
        if (!(fetched instanceof Found found)) {
            throw new UnavailableException(
                    "Cannot save "
                            + store.nameOf(key)
                            + ": the store did not confirm it, and it is not there; it is saved"
                            + " later");
        }
        if (!found.body().equals(body) && !isSame.apply(found)) {
            throw new CorruptException(
                    "Cannot save "
                            + store.nameOf(key)
                            + ": what is there says something else, and equal logs give equal"
                            + " objects; keep a copy of it, and verify the dataset");
        }
    }

    /**
     * A segment that a State speaks of.
     *
     * @param before the receipt before its first step
     */
    Segment segment(SegmentRef ref, Bytes before) {
        String key = layout.segment(ref.firstStep(), ref.lastStep());
        if (store.read(key, SegmentCodec.BYTES_MAX) instanceof Found found) {
            return SegmentCodec.decode(found.body(), store.nameOf(key), ref, before);
        }
        throw new Boundaries(store, layout)
                .lost(
                        "Cannot read "
                                + store.nameOf(key)
                                + ": a State names it, and it is not there; restore it");
    }
}
