package io.batchweave.read;

import io.batchweave.world.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step that is fetched ahead of its delivery: by the executor that runs it, or by the thread
 * that needs it if no executor has begun. So nobody waits for an executor that is gone.
 */
final class Ahead<B extends Delivered> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Ahead.class);

    private final long bytes;
    private final Supplier<B> fetch;
    private final Hedges hedges;
    private final Executor fetchers;
    private final Pause pause;

    /** What has begun; null while nothing has, or after it was dropped. */
    private final AtomicReference<Race<B>> begun = new AtomicReference<>();

    /**
     * @param bytes of memory that the step takes
     * @param fetchers runs hedges
     * @param pause by which threads wait for the one that fetches
     */
    Ahead(long bytes, Supplier<B> fetch, Hedges hedges, Executor fetchers, Pause pause) {
        this.bytes = bytes;
        this.fetch = fetch;
        this.hedges = hedges;
        this.fetchers = fetchers;
        this.pause = pause;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void run() {
        Race<B> race = new Race<>();
        if (begun.compareAndSet(null, race)) {
            race.run(fetch);
        }
    }

    /** The same step, to be fetched once more. */
    Ahead<B> again() {
        return new Ahead<>(bytes, fetch, hedges, fetchers, pause);
    }

    /**
     * The step; the caller closes it. If another thread fetches it and takes long, it is fetched
     * once more, and the first that comes is the step.
     *
     * @throws TimeoutException if it does not come in time; it may be asked for again
     */
    B await() throws InterruptedException, ExecutionException, TimeoutException {
        while (true) {
            run();
            Race<B> race = begun.get();
            if (race != null) {
                settle(race);
                if (begun.compareAndSet(race, taken())) {
                    return race.result().get();
                }
            }
        }
    }

    private void settle(Race<B> race) throws InterruptedException, TimeoutException {
        Duration most = hedges.most();
        Optional<Duration> delay = hedges.delay();
        if (delay.isPresent()) {
            most = most.minus(delay.get());
            if (!pause.await(race.result(), delay.get()) && race.hedge()) {
                hedge(race);
            }
        }
        if (!pause.await(race.result(), most)) {
            throw new TimeoutException();
        }
    }

    /** If nothing comes of it, the fetch that is under way is waited for as if it were not. */
    private void hedge(Race<B> race) {
        hedges.started(race.ended());
        try {
            fetchers.execute(() -> race.run(fetch));
        } catch (RuntimeException | Error e) {
            LOG.debug("Nobody fetches a step once more", e);
        }
    }

    /**
     * Gives back what was fetched and not yet taken, so that others have its room; it is fetched
     * once more when it is needed. Any thread may say so.
     */
    void drop() {
        Race<B> race = begun.get();
        boolean isThere =
                race != null && race.ended().isDone() && !race.result().isCompletedExceptionally();
        if (isThere && begun.compareAndSet(race, null)) {
            race.result().join().close();
        }
    }

    /** Gives back what it took; returns when nobody fetches it any more. */
    void giveUp() {
        Race<B> race = begun.getAndSet(taken());
        if (race != null) {
            awaitUninterrupted(race.ended(), pause);
            awaitUninterrupted(
                    race.result().thenAccept(Delivered::close).exceptionally(e -> null), pause);
        }
    }

    /** What stands for a fetch whose step somebody has. */
    private Race<B> taken() {
        return new Race<>();
    }

    /** Returns when something has ended; an interrupted thread stays so. */
    static void awaitUninterrupted(CompletableFuture<?> end, Pause pause) {
        boolean interrupted = false;
        while (!end.isDone()) {
            try {
                pause.await(end);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
