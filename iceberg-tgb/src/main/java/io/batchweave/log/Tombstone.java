package io.batchweave.log;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.FencedException;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.time.Instant;
import java.util.Optional;

/** What stays, for good, of a dataset that was dropped: the highest of all boundaries (DROP-1). */
public final class Tombstone {
    private final ObjectStore store;
    private final Layout layout;
    private final Boundary boundary;

    Tombstone(ObjectStore store, Layout layout, Boundary boundary) {
        this.store = store;
        this.layout = layout;
        this.boundary = boundary;
    }

    /** That of a dataset; empty if it was not dropped. */
    public static Optional<Tombstone> of(DatasetName name, ObjectStore store) {
        return new Boundaries(store, new Layout(name)).tombstone();
    }

    /**
     * Says for good that a dataset is dropped, which is sealed by now. Nothing is deleted yet.
     *
     * @throws io.batchweave.errors.UnavailableException if the store does not confirm; do the same
     *     again
     */
    public static Tombstone create(DatasetName name, ObjectStore store) {
        Layout layout = new Layout(name);
        Boundary boundary = Boundary.tombstone(timeOf(store, layout));
        new Boundaries(store, layout).create(boundary);
        return new Tombstone(store, layout, boundary);
    }

    /** What is thrown where an object of a dataset is missing: damage, or that it was dropped. */
    public static BatchWeaveException lost(DatasetName name, ObjectStore store, String text) {
        return new Boundaries(store, new Layout(name)).lost(text);
    }

    /** When the dataset was dropped: the store's time. */
    public Instant at() {
        return boundary.at();
    }

    /**
     * Since when its commits may go: before, those who pass over a look for boundaries must find
     * the one that sealed it (DROP-3).
     */
    public Instant ripeAt() {
        return boundary.ripeAt(store.timekeeper());
    }

    /** Whether its commits may go by now. */
    public boolean isRipe() {
        return !ripeAt().isAfter(timeOf(store, layout));
    }

    /** What whoever asks for the dataset is told. */
    public FencedException refusal() {
        return new FencedException(
                "Cannot use dataset "
                        + layout.dataset()
                        + " in "
                        + store.uri()
                        + ": it was dropped at "
                        + at()
                        + "; take another name for a new one");
    }

    /** The store's time: every answer tells it, also that there is no such object. */
    private static Instant timeOf(ObjectStore store, Layout layout) {
        String absent = layout.boundary(Boundary.tombstone(Instant.EPOCH).version(), Instant.EPOCH);
        Fetched fetched = store.read(absent, 0);
        return fetched instanceof Fetched.Found found
                ? found.at()
                : ((Fetched.Absent) fetched).at();
    }
}
