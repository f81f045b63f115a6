package io.batchweave.log;

import io.batchweave.model.Layout;
import io.batchweave.state.State;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Deletes the commits that no participant will apply any more (TRIM-8): a State behind them is
 * saved, then a boundary created that says so, and only then they go, packed. It may stop anywhere,
 * and any number may do it at once.
 */
final class Trim {
    private final ObjectStore store;
    private final Layout layout;
    private final Boundaries boundaries;
    private final Packs packs;

    Trim(ObjectStore store, Layout layout) {
        this.store = store;
        this.layout = layout;
        this.boundaries = new Boundaries(store, layout);
        this.packs = new Packs(store, layout);
    }

    /**
     * The boundary that is to be created, if so many commits more could go.
     *
     * @param state of which all is sure
     * @param now the store's time, after it was read
     */
    Optional<Boundary> due(State state, Instant now, long commits) {
        List<Boundary> all = boundaries();
        long last = all.isEmpty() ? -1 : all.get(all.size() - 1).version();
        long version = Packs.firstOf(Packs.numberOf(state.version() + 1)) - 1;
        return version - last < commits
                ? Optional.empty()
                : Optional.of(new Boundary(version, now));
    }

    /** Says that commits may go; a State of their last version, or a later one, must be saved. */
    void announce(Boundary boundary) {
        boundaries.create(boundary);
    }

    /** The version up to which commits may go by now; -1: none. */
    long ripe(Instant now) {
        return boundaries().stream()
                .filter(boundary -> isRipe(boundary, now))
                .mapToLong(Boundary::version)
                .max()
                .orElse(-1);
    }

    /** All of them; whoever drops the dataset deletes commits by rules of their own. */
    private List<Boundary> boundaries() {
        List<Boundary> all = boundaries.after(-1);
        boundaries.demandNoTombstone(all);
        return all;
    }

    /** Whether what lies before a boundary is old enough, where the store tells its age. */
    boolean isRipe(Boundary boundary, Instant now) {
        return !boundary.ripeAt(store.timekeeper()).isAfter(now);
    }

    /** The commits up to a version, which may go. */
    Trimmed found(long ripe) {
        return eachFolder(
                ripe,
                packs ->
                        packs.values().stream()
                                .map(Trimmed::of)
                                .reduce(Trimmed.NOTHING, Trimmed::plus));
    }

    /** Packs the commits up to a version where they are not packed yet, and deletes them. */
    Trimmed delete(long ripe) {
        return eachFolder(ripe, this::delete);
    }

    /** A folder holds whole packs. */
    private Trimmed eachFolder(long ripe, Function<SortedMap<Long, List<Item>>, Trimmed> taker) {
        Trimmed trimmed = Trimmed.NOTHING;
        List<String> folders = ripe < 0 ? List.of() : store.list(layout.commits(), "").folders();
        for (String folder : folders) {
            if (folder.compareTo(Layout.cut(ripe)) <= 0) {
                trimmed = trimmed.plus(taker.apply(packed(folder, ripe)));
            }
        }
        return trimmed;
    }

    private SortedMap<Long, List<Item>> packed(String folder, long ripe) {
        return store.list(layout.commits() + "/" + folder, "").objects().stream()
                .filter(item -> Commits.isVersion(item.key()))
                .filter(item -> Packs.firstOf(number(item) + 1) - 1 <= ripe)
                .collect(Collectors.groupingBy(Trim::number, TreeMap::new, Collectors.toList()));
    }

    private static long number(Item item) {
        return Packs.numberOf(Layout.number(item.key()).orElseThrow());
    }

    private Trimmed delete(SortedMap<Long, List<Item>> commits) {
        Trimmed trimmed = Trimmed.NOTHING;
        for (long number : commits.keySet()) {
            List<Item> items = commits.get(number);
            if (packs.isThere(number) || packs.create(number)) {
                store.delete(items.stream().map(Item::key).toList());
                trimmed = trimmed.plus(Trimmed.of(items));
            } else {
                trimmed = trimmed.plus(new Trimmed(0, 0, items.size()));
            }
        }
        return trimmed;
    }
}
