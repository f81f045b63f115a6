package io.batchweave.sidecar;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Does what concerns the same thing in turn, and what concerns different ones side by side: a
 * warehouse that hangs holds up only those who want something of it. Thread-safe.
 *
 * @param <K> names a thing
 */
final class InTurn<K> {
    private final Map<K, Queue> queues = new HashMap<>();

    private static final class Queue {
        private int length;
    }

    /** Does the work when nobody else works on this thing; it may take as long as it likes. */
    <T> T with(K thing, Supplier<T> work) {
        Queue queue = enter(thing);
        try {
            synchronized (queue) {
                return work.get();
            }
        } finally {
            leave(thing, queue);
        }
    }

    private synchronized Queue enter(K thing) {
        Queue queue = queues.computeIfAbsent(thing, key -> new Queue());
        queue.length++;
        return queue;
    }

    private synchronized void leave(K thing, Queue queue) {
        queue.length--;
        if (queue.length == 0) {
            queues.remove(thing);
        }
    }
}
