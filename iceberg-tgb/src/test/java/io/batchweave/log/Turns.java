package io.batchweave.log;

import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/**
 * Lets players run one at a time and passes the turn, by chance, at every request that one of them
 * makes: a race that happens the same way whenever its chance is the same.
 */
final class Turns {
    private final RandomGenerator random;
    private final List<Player> playing = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Semaphore over = new Semaphore(0);

    Turns(RandomGenerator random) {
        this.random = random;
    }

    private final class Player extends Thread {
        private final Semaphore turn = new Semaphore(0);
        private final Runnable game;

        Player(Runnable game) {
            this.game = game;
            setDaemon(true);
        }

        @Override
        public void run() {
            turn.acquireUninterruptibly();
            try {
                game.run();
            } catch (Throwable e) {
                failures.add(e);
            }
            playing.remove(this);
            if (playing.isEmpty()) {
                over.release();
            } else {
                any().turn.release();
            }
        }
    }

    /** Plays all games to their ends; fails if one has failed. */
    void play(List<Runnable> games) {
        games.forEach(game -> playing.add(new Player(game)));
        List.copyOf(playing).forEach(Thread::start);
        any().turn.release();
        over.acquireUninterruptibly();
        if (!failures.isEmpty()) {
            AssertionError failure = new AssertionError("a player failed", failures.get(0));
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private Player any() {
        return playing.get(random.nextInt(playing.size()));
    }

    private void pass() {
        if (Thread.currentThread() instanceof Player player) {
            any().turn.release();
            player.turn.acquireUninterruptibly();
            if (!failures.isEmpty()) {
                throw new IllegalStateException("the race is over: another player failed");
            }
        }
    }

    /** The store, at which every request lets others have their turns before and after. */
    ObjectStore at(ObjectStore store) {
        return new ObjectStore() {
            @Override
            public String uri() {
                return store.uri();
            }

            @Override
            public Creation create(String key, ByteBuffer body) {
                pass();
                Creation creation = store.create(key, body);
                pass();
                return creation;
            }

            @Override
            public Fetched read(String key, int bytesMax) {
                pass();
                Fetched fetched = store.read(key, bytesMax);
                pass();
                return fetched;
            }

            @Override
            public Fetched readInto(String key, long offset, ByteBuffer target) {
                return store.readInto(key, offset, target);
            }

            @Override
            public Upload upload(String key) {
                return store.upload(key);
            }

            @Override
            public Listing list(String folder, String after) {
                return store.list(folder, after);
            }

            @Override
            public void delete(Collection<String> keys) {
                store.delete(keys);
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }
}
