package io.batchweave.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A clock that is moved by hand, and by every pause: whoever pauses finds the time passed, and
 * nobody waits. Safe for use by many threads.
 */
public final class HandClock implements InstantSource {
    private final List<Duration> pauses = new ArrayList<>();
    private Instant now;
    private Consumer<Duration> whilePausing = pause -> {};
    private Optional<Consumer<Duration>> whileAwaiting = Optional.empty();

    public HandClock(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock; a negative duration moves it back. */
    public synchronized void move(Duration duration) {
        now = now.plus(duration);
    }

    /** Does something during every pause from now on, after its time has passed. */
    public synchronized void whilePausing(Consumer<Duration> action) {
        whilePausing = action;
    }

    /**
     * Lets whoever waits for a future for a limited time find that time passed, and does something
     * meanwhile. Without this, the clock stands still for those who wait.
     */
    public synchronized void whileAwaiting(Consumer<Duration> action) {
        whileAwaiting = Optional.of(action);
    }

    /** All pauses so far. */
    public synchronized List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    /** A world of this clock whose chance is repeatable. */
    public World world(long seed) {
        return new World(this, new HandPause(), new SplittableRandom(seed));
    }

    private final class HandPause implements Pause {
        @Override
        public void pause(Duration duration) {
            pass(duration);
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration most)
                throws InterruptedException {
            Optional<Consumer<Duration>> action = whileAwaiting();
            if (action.isEmpty()) {
                await(future);
            } else if (!future.isDone()) {
                move(most);
                action.get().accept(most);
            }
            return future.isDone();
        }
    }

    private synchronized Optional<Consumer<Duration>> whileAwaiting() {
        return whileAwaiting;
    }

    private void pass(Duration duration) {
        Consumer<Duration> action;
        synchronized (this) {
            pauses.add(duration);
            now = now.plus(duration);
            action = whilePausing;
        }
        action.accept(duration);
    }
}
