package io.batchweave.read;

import io.batchweave.world.Pause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * One step that is fetched ahead of its delivery: by the executor that runs it, or by the thread
 * that needs it if no executor has begun. So nobody waits for an executor that is gone.
 */
final class Ahead<B extends Delivered> implements Runnable {
    private final long bytes;
    private final Supplier<B> fetch;
    private final Pause pause;

    /** The fetch that has begun; null while none has, or after it was dropped. */
    private final AtomicReference<CompletableFuture<B>> begun = new AtomicReference<>();

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
        CompletableFuture<B> batch = new CompletableFuture<>();
        if (begun.compareAndSet(null, batch)) {
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
        while (true) {
            run();
            CompletableFuture<B> batch = begun.get();
            if (batch != null) {
                pause.await(batch);
                if (begun.compareAndSet(batch, taken())) {
                    return batch.get();
                }
            }
        }
    }

    /**
     * Gives back what was fetched and not yet taken, so that others have its room; it is fetched
     * once more when it is needed. Any thread may say so.
     */
    void drop() {
        CompletableFuture<B> batch = begun.get();
        boolean isThere = batch != null && batch.isDone() && !batch.isCompletedExceptionally();
        if (isThere && begun.compareAndSet(batch, null)) {
            batch.join().close();
        }
    }

    /** Gives back what it took; returns when nobody fetches it any more. */
    void giveUp() {
        CompletableFuture<B> batch = begun.getAndSet(taken());
        if (batch != null) {
            awaitUninterrupted(batch.thenAccept(Delivered::close).exceptionally(e -> null));
        }
    }

    /** What stands for a fetch whose step somebody has. */
    private CompletableFuture<B> taken() {
        return new CompletableFuture<>();
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
