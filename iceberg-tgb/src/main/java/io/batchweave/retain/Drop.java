package io.batchweave.retain;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
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
 * <p>The specification tells which other ways were rejected. Not safe for use by several threads.
 */
public final class Drop {
    /** What becomes of a dataset whose log cannot be read. */
    public enum IfUnreadable {
        /** It is not dropped: nobody knows whether jobs are attached to it. */
        REFUSE,
        /** It is dropped, by somebody who has ended its jobs and producers. */
        DROP
    }

    private static final String END_THEM = "end those that are over by 'batchweave detach'";

    private final ObjectStore store;
    private final DatasetName name;
    private final Layout layout;
    private final World world;

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
        return demandNoJobs(open().state(), END_THEM);
    }

    /** All objects that {@link #run} would delete; it lists them all. */
    public Found objects() {
        List<Found> found = new ArrayList<>();
        each(items -> found.add(Found.of(items)));
        return found.stream().reduce(Found.NOTHING, Found::plus);
    }

    /**
     * Drops it. A job that attaches after the seal may find that it was dropped.
     *
     * @param progress told how many objects were deleted, now and then
     * @throws InvalidRequestException if there is none, or jobs are attached to it; nothing was
     *     deleted, but one that attached in between finds the dataset sealed
     * @throws CorruptException if its log cannot be read, and it stays then
     * @throws io.batchweave.errors.UnavailableException if the store does not answer; the same may
     *     be done again
     */
    public Dropped run(IfUnreadable unreadable, LongConsumer progress) {
        Tombstone tombstone = tombstone().orElseGet(() -> ended(unreadable));
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

    /** Ends all producers, and says that it is dropped. */
    private Tombstone ended(IfUnreadable unreadable) {
        try {
            Log log = open();
            demandNoJobs(log.state(), END_THEM);
            State unused = log.append(List.of(new Entry.Seal(Entry.SealCondition.NONE)));
            demandNoJobs(
                    log.catchUp(), "the dataset is sealed by now, and its producers have ended");
            return Tombstone.create(name, store);
        } catch (FencedException e) {
            // Somebody else drops it.
            return tombstone().orElseThrow(() -> e);
        } catch (CorruptException e) {
            if (unreadable == IfUnreadable.REFUSE) {
                throw e;
            }
            return Tombstone.create(name, store);
        }
    }

    private Log open() {
        return Log.open(store, name, world, LogLimits.DEFAULT);
    }

    private State demandNoJobs(State state, String rest) {
        List<String> jobs = state.attachedJobs();
        if (!jobs.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot drop %s: %s attached to it: %s; %s"
                            .formatted(
                                    name,
                                    jobs.size() == 1 ? "a job is" : jobs.size() + " jobs are",
                                    String.join(", ", jobs),
                                    rest));
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
