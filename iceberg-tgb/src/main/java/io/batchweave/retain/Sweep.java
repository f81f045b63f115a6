package io.batchweave.retain;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.Trimmed;
import io.batchweave.model.Entry;
import io.batchweave.retain.Swept.Found;
import io.batchweave.state.Retention;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Deletes what nothing can need any more (SWEEP-4). It may be run by anybody, anywhere, any number
 * at once, and stop at any moment; what it has left is found by the next one.
 *
 * <p>What may go is said in the log before any of it goes. To find it, two other ways were
 * considered. To list all payload and keep what is referenced makes each sweep cost what lives. To
 * note each deletion takes a commit or an object for each. Here the log says two steps: up to one
 * all is gone, up to the other all may go; what lies between is deleted again, without asking
 * whether it is there.
 */
public final class Sweep {
    /** So many objects are deleted at once. */
    private static final int BATCH = 1_000;

    /** So often the low step may move while we decide on it. */
    private static final int DECISIONS_MAX = 10;

    private final Log log;
    private final ObjectStore store;
    private final LongConsumer deleted;
    private long objects;

    /**
     * @param deleted told how many objects were deleted, now and then
     */
    public Sweep(Log log, LongConsumer deleted) {
        this.log = log;
        this.store = log.store();
        this.deleted = deleted;
    }

    /**
     * Sweeps.
     *
     * @throws io.batchweave.errors.UnavailableException if the store does not answer; nothing more
     *     was deleted (SWEEP-6), and the same may be done again
     * @throws io.batchweave.errors.CommitUnknownException if it is not known whether the low step
     *     was raised; nothing was deleted for it, and the same may be done again
     */
    public Swept run() {
        State before = log.catchUp();
        long again = before.lowStep() - before.kept().sweptStep();
        // 1. What an earlier sweep may have left.
        payload(before.kept().sweptStep(), before.lowStep(), this::delete);
        // 2. The log says what may go, and that all before it is gone; 3. then it goes.
        State raised = raised(before);
        Found payload = payload(before.lowStep(), raised.lowStep(), this::delete);
        // 4. What no step ever named.
        Found left = leftovers(raised, this::delete);
        // 5. The next sweep need not delete it again.
        saySwept(raised);
        // 6. Commits.
        Trimmed trimmed = log.trim();
        return new Swept(
                raised.lowStep(),
                raised.lowStep() - before.lowStep(),
                payload,
                again,
                left,
                trimmed);
    }

    private void saySwept(State state) {
        if (state.kept().sweptStep() < state.lowStep()) {
            log.append(List.of(new Entry.Sweep(state.lowStep(), state.lowStep())));
        }
    }

    /** What {@link #run} would do now. */
    public Swept plan() {
        State state = log.catchUp();
        long low = Math.max(state.lowStep(), Retention.keptFrom(state, log.storeTime()));
        return new Swept(
                low,
                low - state.lowStep(),
                payload(state.lowStep(), low, items -> {}),
                state.lowStep() - state.kept().sweptStep(),
                leftovers(state, items -> {}),
                log.trimmable());
    }

    /**
     * A State with the low step as high as it can be. Another sweep may raise it too, and a job may
     * attach; then it is decided anew.
     */
    private State raised(State first) {
        State state = first;
        for (int decisions = 1; ; decisions++) {
            long low = Retention.keptFrom(state, log.storeTime());
            if (low <= state.lowStep()) {
                return state;
            }
            try {
                return log.append(List.of(new Entry.Sweep(low, first.lowStep())));
            } catch (InvalidRequestException e) {
                if (decisions == DECISIONS_MAX) {
                    throw e;
                }
                state = log.catchUp();
            }
        }
    }

    /** Gives the payload of these steps to a taker, whether it is there or not. */
    private Found payload(long from, long to, Consumer<List<Item>> taker) {
        Found found = Found.NOTHING;
        List<Item> items = new ArrayList<>();
        for (long step = from; step < to; step++) {
            StepRecord record = log.step(step);
            for (int part = 0; part < record.batch().parts().size(); part++) {
                items.add(
                        new Item(
                                log.layout().part(record.claim(), part),
                                record.batch().parts().get(part).length()));
            }
            if (items.size() >= BATCH || step == to - 1) {
                taker.accept(items);
                found = found.plus(Found.of(items));
                items = new ArrayList<>();
            }
        }
        return found;
    }

    private Found leftovers(State state, Consumer<List<Item>> taker) {
        List<Found> found = new ArrayList<>();
        new Leftovers(store, log.layout(), state)
                .each(
                        items -> {
                            taker.accept(items);
                            found.add(Found.of(items));
                        });
        return found.stream().reduce(Found.NOTHING, Found::plus);
    }

    private void delete(List<Item> items) {
        if (!items.isEmpty()) {
            store.delete(items.stream().map(Item::key).toList());
            objects += items.size();
            deleted.accept(objects);
        }
    }
}
