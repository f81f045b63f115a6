package io.batchweave.retain;

import io.batchweave.log.Trimmed;
import io.batchweave.store.Listing.Item;
import java.util.Collection;

/**
 * What a sweep did, or would do.
 *
 * @param lowStep the first step whose payload is kept
 * @param steps whose payload was deleted, in so many objects
 * @param again steps below them, deleted by an earlier sweep that may not have come to its end
 * @param left what nothing can need although no step names it: what producers uploaded and never
 *     committed, and acknowledgements of sessions that are over
 * @param log what was trimmed
 */
public record Swept(long lowStep, long steps, Found payload, long again, Found left, Trimmed log) {
    /** Objects, and their bytes. */
    public record Found(long objects, long bytes) {
        static final Found NOTHING = new Found(0, 0);

        static Found of(Collection<Item> items) {
            return new Found(items.size(), items.stream().mapToLong(Item::length).sum());
        }

        Found plus(Found more) {
            return new Found(objects + more.objects, bytes + more.bytes);
        }
    }

    /** Whether there was nothing to do. */
    public boolean isNothing() {
        return steps == 0 && again == 0 && left.objects() == 0 && log.commits() == 0;
    }
}
