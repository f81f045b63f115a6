package io.batchweave.retain;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.log.Tombstone;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Layout;
import io.batchweave.retain.Swept.Found;
import io.batchweave.state.State;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Drops a dataset: says so for good, then deletes all that it had but that word (DROP-2). It may
 * stop at any moment, and be run again; any number may drop at once.
 *
 * <p>Two other ways were considered. To delete everything leaves nobody to tell a producer that
 * slept: it would go on as if nothing had happened, and find a new dataset of that name in the
 * place of its own. An entry of the log that drops it has to stay as well, with a State to open it
 * by, and asks all software to know it; the seal is known to all, ends every producer, and is
 * enough. Not safe for use by several threads.
 */
public final class Drop {
    private final ObjectStore store;
    private final DatasetName name;
    private final Layout layout;
    private final World world;

    /** What becomes of a dataset whose log cannot be read. */
    public enum Unreadable {
        /** It stays: nobody knows whether jobs are attached to it. */
        STAYS,
        /** It is dropped, by somebody who has ended its jobs and producers. */
        GOES
    }

    private Found deleted = Found.NOTHING;
    private Found kept = Found.NOTHING;

    public Drop(ObjectStore store, DatasetName name, World world) {
        this.store = store;
        this.name = name;
        this.layout = new Layout(name);
        this.world = world;
    }

    /** Whether it is dropped already; then {@link #run} deletes what is left of it. */
    public Optional<Tombstone> tombstone() {
        return Tombstone.of(name, store);
    }

    /**
     * What it is that would be dropped.
     *
     * @throws InvalidRequestException if there is none, or jobs are attached to it
     * @throws CorruptException if its log cannot be read
     */
    public State state() {
        return dispensable(open().state());
    }

    /** All objects that {@link #run} would delete; it lists them all. */
    public Found objects() {
        List<Found> found = new ArrayList<>();
        each(items -> found.add(Found.of(items)));
        return found.stream().reduce(Found.NOTHING, Found::plus);
    }

    /**
     * Drops it. A job that attaches at this very moment finds that it was dropped.
     *
     * @param progress told how many objects were deleted, now and then
     * @throws InvalidRequestException if there is none, or jobs are attached to it; nothing was
     *     deleted
     * @throws CorruptException if its log cannot be read, and it stays then
     * @throws io.batchweave.errors.UnavailableException if the store does not answer; the same may
     *     be done again
     */
    public Dropped run(Unreadable unreadable, LongConsumer progress) {
        Tombstone tombstone = tombstone().orElseGet(() -> bury(unreadable));
        boolean isRipe = tombstone.isRipe();
        deleted = Found.NOTHING;
        kept = Found.NOTHING;
        each(
                items -> {
                    if (!isRipe && isBelow(layout.commits(), items)) {
                        kept = kept.plus(Found.of(items));
                    } else {
                        store.delete(items.stream().map(Item::key).toList());
                        deleted = deleted.plus(Found.of(items));
                        progress.accept(deleted.objects());
                    }
                });
        return new Dropped(tombstone, deleted, kept);
    }

    /** Ends all producers, and then says that it is dropped. */
    private Tombstone bury(Unreadable unreadable) {
        try {
            Log log = open();
            dispensable(log.state());
            dispensable(log.append(List.of(new Entry.Seal(Entry.SealCondition.NONE))));
            return log.drop();
        } catch (CorruptException e) {
            if (unreadable == Unreadable.STAYS) {
                throw e;
            }
            return Tombstone.create(name, store);
        }
    }

    private Log open() {
        return Log.open(store, name, world, LogLimits.DEFAULT);
    }

    private State dispensable(State state) {
        List<String> jobs = state.attachedJobs();
        if (!jobs.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot drop %s: %s attached to it: %s; detach what is over"
                            .formatted(
                                    name,
                                    jobs.size() == 1 ? "a job is" : jobs.size() + " jobs are",
                                    String.join(", ", jobs)));
        }
        return state;
    }

    /** Gives all its objects but boundaries to a taker, those of a folder at once. */
    private void each(Consumer<List<Item>> taker) {
        store.listBelow(
                layout.root(),
                items -> {
                    if (!isBelow(layout.boundaries(), items)) {
                        taker.accept(items);
                    }
                });
    }

    private static boolean isBelow(String folder, List<Item> items) {
        return items.get(0).key().startsWith(folder + "/");
    }
}
