package io.batchweave.read;

import io.batchweave.world.Pause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One step that is fetched ahead of its delivery, once: by the executor that runs it, or by the
 * thread that needs it if no executor has begun. So nobody waits for an executor that is gone.
 */
final class Ahead<B extends Delivered> implements Runnable {
    private final long bytes;
    private final Supplier<B> fetch;
    private final Pause pause;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<B> batch = new CompletableFuture<>();

    /**
     * @param bytes of memory that the step takes
     * @param pause by which threads wait for the one that fetches
     */
    Ahead(long bytes, Supplier<B> fetch, Pause pause) {
        this.bytes = bytes;
        this.fetch = fetch;
        this.pause = pause;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void run() {
        if (begun.compareAndSet(false, true)) {
            try {
                batch.complete(fetch.get());
            } catch (Throwable e) {
                // An Error too: it is told to whoever waits, who would wait for ever.
                batch.completeExceptionally(e);
            }
        }
    }

    /** The same step, to be fetched once more. */
    Ahead<B> again() {
        return new Ahead<>(bytes, fetch, pause);
    }

    /** The step; the caller closes it. */
    B await() throws InterruptedException, ExecutionException {
        run();
        pause.await(batch);
        return batch.get();
    }

    /** Gives back what it took; returns when nobody fetches it any more. */
    void giveUp() {
        if (!begun.compareAndSet(false, true)) {
            awaitUninterrupted(batch.thenAccept(Delivered::close).exceptionally(e -> null));
        }
    }

    private void awaitUninterrupted(CompletableFuture<?> end) {
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
