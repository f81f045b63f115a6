package io.batchweave.log;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Layout;
import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The boundaries of one dataset: objects without bytes, whose names say everything. */
final class Boundaries {
    private final ObjectStore store;
    private final Layout layout;

    Boundaries(ObjectStore store, Layout layout) {
        this.store = store;
        this.layout = layout;
    }

    /** Those of a version above this one, in order. */
    List<Boundary> after(long version) {
        String next = version < 0 ? "" : layout.boundaries() + "/" + Layout.padded(version + 1);
        return store.list(layout.boundaries(), next).objects().stream()
                .map(item -> parse(item.key()))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Boundary> parse(String key) {
        List<Long> numbers = Layout.numbers(key);
        return numbers.size() == 2
                ? Optional.of(new Boundary(numbers.get(0), Instant.ofEpochMilli(numbers.get(1))))
                : Optional.empty();
    }

    /** That of a dataset which was dropped; the last one, if it was at once by several. */
    Optional<Tombstone> tombstone() {
        return tombstone(after(-1));
    }

    private Optional<Tombstone> tombstone(List<Boundary> found) {
        return found.stream()
                .filter(Boundary::isTombstone)
                .max(Comparator.comparing(Boundary::at))
                .map(boundary -> new Tombstone(store, layout, boundary));
    }

    /** Refuses a dataset that was dropped, by boundaries that were found. */
    void demandNoTombstone(List<Boundary> found) {
        Optional<Tombstone> tombstone = tombstone(found);
        if (tombstone.isPresent()) {
            throw tombstone.get().refusal();
        }
    }

    /** What is thrown where an object is missing: it is damage, or the dataset was dropped. */
    BatchWeaveException lost(String text) {
        return tombstone()
                .<BatchWeaveException>map(Tombstone::refusal)
                .orElseGet(() -> new CorruptException(text));
    }

    /**
     * Creates a boundary.
     *
     * @throws UnavailableException if it is not known to be there
     */
    void create(Boundary boundary) {
        String key = layout.boundary(boundary.version(), boundary.at());
        if (store.create(key, ByteBuffer.allocate(0)) instanceof Creation.Unknown unknown) {
            throw new UnavailableException(
                    (boundary.isTombstone() ? "Cannot drop " : "Cannot trim the log of ")
                            + layout.dataset()
                            + ": the store did not confirm "
                            + store.nameOf(key)
                            + "; nothing was deleted, so try again",
                    unknown.cause());
        }
    }
}
