package io.batchweave.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/**
 * The clients of one space of objects that a test of the contract opens, and what it says of them.
 */
abstract class SharedSpace {
    /** More than one part of a multipart upload, and no round number. */
    static final int LARGE_BYTES = 11 * 1_024 * 1_024 + 7;

    /** What not every server can do, though the protocol works without. */
    protected enum Ability {
        /** An upload that is going on shows up in no listing, not even under another key. */
        HIDES_UPLOADS,
        /** A folder is no longer listed when its last object has been deleted. */
        DROPS_EMPTY_FOLDERS,
        /** Names may have 255 characters; where files have longer names meanwhile, fewer. */
        TAKES_LONGEST_NAMES,
        /** A create never fails because others just delete the last object of its folder. */
        CREATES_WHILE_FOLDERS_GO,
        /** Other programs can put objects here under names that no key has. */
        HOLDS_OTHERS
    }

    private final List<ObjectStore> clients = new ArrayList<>();

    /**
     * Opens a client of the space of this test, which is empty at first. Called several times in a
     * test: all clients share the space.
     */
    protected abstract ObjectStore open();

    /** All of them, unless a subclass knows better. */
    protected Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    /** Puts an object here as another program does, under any name. */
    protected void plant(String name) throws IOException {
        throw new UnsupportedOperationException("Nobody but our clients can put anything here");
    }

    /** A client that is closed after the test. */
    ObjectStore client() {
        ObjectStore client = open();
        clients.add(client);
        return client;
    }

    @AfterEach
    void closeClients() {
        clients.forEach(ObjectStore::close);
    }

    static void assertDone(Creation creation) {
        assertThat(creation).isInstanceOf(Creation.Done.class);
    }

    static void assertRefused(Creation creation) {
        assertThat(creation).isInstanceOf(Creation.Refused.class);
    }

    /** An object whose body is as long as its key. */
    static Listing.Item item(String key) {
        return new Listing.Item(key, key.length());
    }

    /** What one of several threads does. */
    interface Work<T> {
        T of(int thread) throws Exception;
    }

    /** Lets threads work at the same time; fails as soon as one has failed, or after a minute. */
    static <T> List<T> together(int threads, Work<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> calls =
                    IntStream.range(0, threads)
                            .<Callable<T>>mapToObj(thread -> () -> work.of(thread))
                            .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> result : pool.invokeAll(calls, 1, TimeUnit.MINUTES)) {
                results.add(result.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }
}
