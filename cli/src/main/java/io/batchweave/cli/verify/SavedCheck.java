package io.batchweave.cli.verify;

import io.batchweave.codec.SegmentCodec;
import io.batchweave.codec.StateCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.model.Layout;
import io.batchweave.state.Applied;
import io.batchweave.state.Segment;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Holds saved States and segments against what the log makes of itself. */
final class SavedCheck {
    private final ObjectStore store;
    private final Layout layout;
    private final List<Finding> findings;

    private final List<Long> boundary;
    private final List<Long> newest;
    private final NavigableSet<String> states;
    private final NavigableSet<String> missing = new TreeSet<>();

    /** Lists boundaries, then States, which are saved first; later ones are not looked at. */
    SavedCheck(ObjectStore store, Layout layout, List<Finding> findings) {
        this.store = store;
        this.layout = layout;
        this.findings = findings;
        this.boundary = last(keys(layout.boundaries()), 2);
        this.states = keys(layout.states());
        this.newest = last(states, 1);
    }

    private NavigableSet<String> keys(String folder) {
        return store.list(folder, "").objects().stream()
                .map(Item::key)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The numbers of the last key that has so many. */
    private static List<Long> last(NavigableSet<String> keys, int numbers) {
        return keys.descendingSet().stream()
                .map(Layout::numbers)
                .filter(each -> each.size() == numbers)
                .findFirst()
                .orElse(List.of());
    }

    /** TRIM-3: commits up to a boundary may be gone, so a State must stand for them. */
    void checkBoundary() {
        long saved = newest.isEmpty() ? -1 : newest.get(0);
        if (!boundary.isEmpty() && boundary.get(0) > saved) {
            report(
                    layout.boundary(boundary.get(0), Instant.ofEpochMilli(boundary.get(1))),
                    "Cannot accept %s: commits up to version "
                            + boundary.get(0)
                            + " may be gone, and "
                            + (saved < 0
                                    ? "no State is saved"
                                    : "the newest saved State is of version " + saved)
                            + "; restore a State of that version or a later one, and write nothing"
                            + " before");
        }
    }

    /** What the newest State says that may be swept; 0 if none can be read. */
    long lowStep() {
        if (newest.isEmpty()) {
            return 0;
        }
        String key = layout.state(newest.get(0));
        try {
            return store.read(key, StateCodec.BYTES_MAX) instanceof Found found
                    ? StateCodec.decode(found.body(), store.nameOf(key)).lowStep()
                    : 0;
        } catch (BatchWeaveException e) {
            // It is damaged as well, and that is a finding of its own.
            return 0;
        }
    }

    /** Checks the State of a version, if it is saved, and what it was cut off. */
    void check(Applied applied) {
        for (Segment segment : applied.cut()) {
            SegmentRef ref = segment.ref();
            String key = layout.segment(ref.firstStep(), ref.lastStep());
            if (!isThere(
                    key,
                    SegmentCodec.BYTES_MAX,
                    body -> SegmentCodec.decode(body, store.nameOf(key)).equals(segment))) {
                missing.add(key);
            }
        }
        State state = applied.state();
        String key = layout.state(state.version());
        if (states.remove(key)
                && isThere(
                        key,
                        StateCodec.BYTES_MAX,
                        body -> StateCodec.decode(body, store.nameOf(key)).equals(state))) {
            missing.forEach(this::reportMissing);
            missing.clear();
        }
    }

    /** Whether an object is there; it is reported if it does not say what it must. */
    private boolean isThere(String key, int bytesMax, Function<ByteBuffer, Boolean> isRight) {
        try {
            if (!(store.read(key, bytesMax) instanceof Found found)) {
                return false;
            }
            if (!isRight.apply(found.body())) {
                report(key, "Cannot accept %s: the log says something else");
            }
        } catch (CorruptException e) {
            findings.add(new Finding(key, e.getMessage()));
        }
        return true;
    }

    private void reportMissing(String key) {
        report(key, "Cannot find %s: a saved State names it");
    }

    /** What lies among the States and is none of this log. */
    void checkNothingIsLeft() {
        states.forEach(key -> report(key, "Cannot explain %s: the log has no such version"));
    }

    private void report(String key, String text) {
        findings.add(new Finding(key, text.formatted(store.nameOf(key))));
    }
}
