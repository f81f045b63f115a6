package io.batchweave.sidecar.arena;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which slices are in the arena or on their way there, and how many need each. Thread-safe.
 *
 * <p>Who asks first for a slice fetches it, everyone else waits for that one. A slice is there as
 * long as somebody holds it, so a rank that waits for the others at a step keeps it for those that
 * come later.
 */
final class Shelf {
    private final Map<SliceKey, Held> slices = new HashMap<>();

    /**
     * What one reader takes of a step.
     *
     * @param all every slice, in order; each is held once more
     * @param ours those of them that the caller is to fetch
     */
    record Taken(List<Held> all, List<Held> ours) {}

    /** Takes slices, which the caller lets go later. */
    synchronized Taken take(List<SliceKey> keys) {
        List<Held> all = new ArrayList<>();
        List<Held> ours = new ArrayList<>();
        for (SliceKey key : keys) {
            Held held = slices.get(key);
            if (held == null) {
                held = new Held(key);
                slices.put(key, held);
                ours.add(held);
            }
            held.hold();
            all.add(held);
        }
        return new Taken(all, ours);
    }

    /** The next one that asks for these fetches them anew. */
    synchronized void forget(List<Held> failed) {
        failed.forEach(held -> slices.remove(held.key(), held));
    }

    /** Lets go of slices; those that nobody holds any more are freed. */
    void letGo(List<Held> held) {
        List<Held> free = new ArrayList<>();
        synchronized (this) {
            for (Held each : held) {
                if (each.letGo()) {
                    slices.remove(each.key(), each);
                    free.add(each);
                }
            }
        }
        free.forEach(Held::free);
    }
}
