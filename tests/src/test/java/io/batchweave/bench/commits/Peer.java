package io.batchweave.bench.commits;

import io.batchweave.store.ObjectStore;

/** A way to publish one thing after the other. */
interface Peer {
    /** Commits one thing after the other; used by one thread. */
    @FunctionalInterface
    interface Writer {
        void commit();
    }

    String name();

    /** Makes a table that is empty. */
    void create(ObjectStore store, String table);

    /** One of its writers, which opens the table now. */
    Writer writer(ObjectStore store, String table, int number);
}
