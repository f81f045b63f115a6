package io.batchweave.produce;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.world.World;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The payload of one batch on its way: made visible once, by the thread that comes first. */
final class BatchUpload {
    private final List<PartUpload> parts;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> visible = new CompletableFuture<>();

    BatchUpload(List<PartUpload> parts) {
        this.parts = List.copyOf(parts);
    }

    /** Makes it visible, durably, unless a thread has begun to; does not wait for that one. */
    void begin(World world) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        try {
            parts.forEach(part -> part.complete(world));
            visible.complete(null);
        } catch (Throwable e) {
            // An Error too: whoever waits would wait for ever.
            visible.completeExceptionally(e);
        }
    }

    /**
     * Makes it visible, or waits for the thread that does.
     *
     * @throws BatchWeaveException if it is not known to be visible
     */
    void complete(World world) {
        begin(world);
        try {
            world.pause().await(visible);
            visible.getNow(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "Cannot wait for the upload of a batch: the thread was interrupted; open the"
                            + " producer again to learn what is in",
                    e);
        } catch (CompletionException e) {
            if (e.getCause() instanceof BatchWeaveException known) {
                throw known;
            }
            throw e;
        }
    }

    /**
     * Gives up what is not visible, and all that the upload took in the store. A part is used by
     * one thread at a time, so what another thread is making visible is closed when it is done.
     */
    void close() {
        if (begun.compareAndSet(false, true)) {
            parts.forEach(PartUpload::close);
        } else {
            var unused = visible.whenComplete((done, failure) -> parts.forEach(PartUpload::close));
        }
    }
}
