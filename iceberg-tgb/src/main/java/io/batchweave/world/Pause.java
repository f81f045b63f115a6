package io.batchweave.world;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets time pass and other threads work. */
@FunctionalInterface
public interface Pause {
    /** Returns after {@code duration}, or at once with the thread's interrupt flag set. */
    void pause(Duration duration);

    /**
     * Returns when the future is done, however it came out. What can be simulated waits in no other
     * way: so whoever gives the pause knows who waits for what, and threads can be made to take
     * turns.
     */
    default void await(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException | CancellationException e) {
            // It is done, and says itself how.
        }
    }

    /**
     * The same, but for no longer than {@code most}.
     *
     * @return whether the future is done
     */
    default boolean await(CompletableFuture<?> future, Duration most) throws InterruptedException {
        try {
            future.get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            // If it is done, it says itself how.
        }
        return future.isDone();
    }
}
