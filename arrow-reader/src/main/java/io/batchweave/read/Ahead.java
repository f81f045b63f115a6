package io.batchweave.read;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One step that is fetched ahead of its delivery, once: by the executor that runs it, or by the
 * thread that needs it if no executor has begun. So nobody waits for an executor that is gone.
 */
final class Ahead implements Runnable {
    private final long bytes;
    private final Supplier<StepBatch> fetch;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<StepBatch> batch = new CompletableFuture<>();

    /**
     * @param bytes of memory that the step takes
     */
    Ahead(long bytes, Supplier<StepBatch> fetch) {
        this.bytes = bytes;
        this.fetch = fetch;
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
    Ahead again() {
        return new Ahead(bytes, fetch);
    }

    /** The step; the caller closes it. */
    StepBatch await() throws InterruptedException, ExecutionException {
        run();
        return batch.get();
    }

    /** Gives back what it took; returns when nobody fetches it any more. */
    void giveUp() {
        if (!begun.compareAndSet(false, true)) {
            batch.thenAccept(StepBatch::close).exceptionally(e -> null).join();
        }
    }
}
