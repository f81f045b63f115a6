package io.batchweave.cli.verify;

import io.batchweave.codec.SegmentCodec;
import io.batchweave.codec.StateCodec;
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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Holds saved States and segments against what the log makes of itself. */
final class SavedCheck {
    private final ObjectStore store;
    private final Layout layout;
    private final List<Finding> findings;

    private final Set<String> states;
    private final Set<String> missing = new TreeSet<>();

    /** Lists the States; those that are saved later are not looked at. */
    SavedCheck(ObjectStore store, Layout layout, List<Finding> findings) {
        this.store = store;
        this.layout = layout;
        this.findings = findings;
        this.states =
                store.list(layout.states(), "").objects().stream()
                        .map(Item::key)
                        .collect(Collectors.toCollection(TreeSet::new));
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
