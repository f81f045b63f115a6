package io.batchweave.retain;

import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.state.JobState;
import io.batchweave.state.ProducerState;
import io.batchweave.state.Retention;
import io.batchweave.state.State;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.util.List;
import java.util.function.Consumer;

/**
 * Objects that no step names and nothing can need: payload of older epochs that was never committed
 * (SWEEP-5), and what ranks said in sessions that are over. They are found without listing what
 * lives; names that are none of ours are left alone.
 */
final class Leftovers {
    private final ObjectStore store;
    private final Layout layout;
    private final State state;

    /**
     * @param state of which all is sure
     */
    Leftovers(ObjectStore store, Layout layout, State state) {
        this.store = store;
        this.layout = layout;
        this.state = state;
    }

    /** Finds all of them, folder by folder. */
    void each(Consumer<List<Item>> taker) {
        for (String name : folders(layout.payload())) {
            state.producer(name).ifPresent(producer -> orphans(name, producer, taker));
        }
        for (String name : folders(layout.acknowledgements())) {
            state.job(name).ifPresent(job -> stale(name, job, taker));
        }
    }

    private void orphans(String name, ProducerState producer, Consumer<List<Item>> taker) {
        String folder = layout.payload() + "/" + name;
        for (String epoch : folders(folder)) {
            Layout.number(epoch)
                    .filter(number -> Retention.isOver(name, number, state))
                    .ifPresent(number -> orphans(producer, new Claim(name, number, 0), taker));
        }
    }

    /** Of an epoch that is over, what lies behind the steps that it published. */
    private void orphans(ProducerState producer, Claim first, Consumer<List<Item>> taker) {
        long end = producer.endSequence(first.epoch());
        String last =
                end == 0 ? "" : layout.part(new Claim(first.producer(), first.epoch(), end - 1), 0);
        String folder =
                String.join("/", layout.payload(), first.producer(), Layout.padded(first.epoch()));
        for (String cut : folders(folder)) {
            if (Layout.number(cut).isPresent() && cut.compareTo(Layout.cut(end)) >= 0) {
                taker.accept(
                        store.list(folder + "/" + cut, last).objects().stream()
                                .filter(item -> isOrphan(item.key()))
                                .toList());
            }
        }
    }

    /** Judged one by one, whatever led here. */
    private boolean isOrphan(String key) {
        return layout.claim(key).filter(claim -> Retention.isOrphaned(claim, state)).isPresent();
    }

    /** Acknowledgements of sessions that are over; nobody counts them any more. */
    private void stale(String name, JobState job, Consumer<List<Item>> taker) {
        String folder = layout.acknowledgements() + "/" + name;
        for (String session : folders(folder)) {
            Layout.number(session)
                    .filter(number -> Retention.isOver(job, number, state))
                    .ifPresent(number -> store.listBelow(folder + "/" + session, taker));
        }
    }

    private List<String> folders(String folder) {
        return store.list(folder, "").folders();
    }
}
