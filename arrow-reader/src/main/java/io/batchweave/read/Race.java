package io.batchweave.read;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One step on its way, by one fetch or by several that run beside each other: the first that comes
 * is the result, and the others are closed when they come.
 */
final class Race<B extends Delivered> {
    private final CompletableFuture<B> result = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int running;
    private boolean over;
    private boolean hedged;
    private Throwable failure;

    /** The step; if all fetches failed, the failure that came first. */
    CompletableFuture<B> result() {
        return result;
    }

    /** Done when nobody fetches any more; then the result is there. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Whether it is the caller who may add a hedge: one may. */
    synchronized boolean hedge() {
        boolean first = !hedged && !over;
        hedged = true;
        return first;
    }

    /** Fetches, if that has still sense. */
    void run(Supplier<B> fetch) {
        if (!begins()) {
            return;
        }
        try {
            B fetched = fetch.get();
            if (!result.complete(fetched)) {
                fetched.close();
            }
        } catch (Throwable e) {
            // An Error too: it is told to whoever waits, who would wait for ever.
            failed(e);
        } finally {
            ends();
        }
    }

    private synchronized boolean begins() {
        boolean begins = !over && !result.isDone();
        running += begins ? 1 : 0;
        return begins;
    }

    private synchronized void failed(Throwable cause) {
        failure = failure == null ? cause : failure;
    }

    private void ends() {
        if (isLast()) {
            if (!result.isDone()) {
                result.completeExceptionally(cause());
            }
            ended.complete(null);
        }
    }

    /** From now on no other begins: what it would bring, nobody would get. */
    private synchronized boolean isLast() {
        running--;
        over = running == 0;
        return over;
    }

    private synchronized Throwable cause() {
        return failure;
    }
}
