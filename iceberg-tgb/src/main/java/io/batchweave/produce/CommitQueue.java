package io.batchweave.produce;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batches of one producer on their way into the log, in order.
 *
 * <p>One commit is under way at a time, whatever the executor does; all that is added meanwhile
 * rides along in the next one. Payload need not wait for that: each thread of the executor makes
 * that of a batch visible, so that on a distant store the uploads of as many batches take the time
 * of one. The first failure is the last: what comes after it would leave a gap (PRODUCE-4). Safe
 * for use by several threads.
 */
final class CommitQueue {
    private static final Logger LOG = LoggerFactory.getLogger(CommitQueue.class);

    /** About how many bytes of entries go into one commit. */
    private static final long COMMIT_BYTES = 4 << 20;

    private final Log log;
    private final String producer;
    private final Executor executor;
    private final Runnable afterCommit;

    private final Deque<FinishedBatch> queue = new ArrayDeque<>();
    private int inFlight;
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
    private RuntimeException failure;

    /**
     * @param producer its name, for messages
     * @param afterCommit runs behind each commit; if it fails, nothing else does
     */
    CommitQueue(Log log, String producer, Executor executor, Runnable afterCommit) {
        this.log = log;
        this.producer = producer;
        this.executor = executor;
        this.afterCommit = afterCommit;
    }

    /** Adds a batch; its step tells what became of it. */
    void add(FinishedBatch batch) {
        if (!accepts(batch)) {
            batch.failed(failure());
            return;
        }
        try {
            executor.execute(
                    () -> {
                        batch.upload().begin(log.world());
                        commitQueued();
                    });
        } catch (RuntimeException | Error e) {
            // Whatever keeps the executor from it, this thread does it.
            commitQueued();
        }
    }

    private synchronized boolean accepts(FinishedBatch batch) {
        if (failure != null) {
            return false;
        }
        inFlight++;
        return queue.add(batch);
    }

    private synchronized RuntimeException failure() {
        return failure;
    }

    /** How many batches are not in the log yet. */
    synchronized int inFlight() {
        return inFlight;
    }

    /**
     * Waits until fewer than {@code count} batches are in flight. What the executor has not begun
     * is committed by the waiting thread, so that no wait depends on an executor that may be gone.
     *
     * @throws BatchWeaveException if a batch failed, or the thread was interrupted
     */
    void awaitFewerThan(int count) {
        while (hasInFlight(count)) {
            commitQueued();
            awaitCommit();
        }
    }

    /** Waits for what is in flight; where that is not possible, what nobody has begun fails. */
    void close() {
        try {
            awaitFewerThan(1);
        } catch (BatchWeaveException e) {
            List<FinishedBatch> waiting = end(e);
            waiting.forEach(batch -> batch.failed(e));
        }
    }

    /** Whether so many are in flight, and there is sense in waiting for them. */
    private synchronized boolean hasInFlight(int count) {
        if (failure != null) {
            throw failure;
        }
        if (inFlight >= count && Thread.currentThread().isInterrupted()) {
            throw new UnavailableException(
                    "Cannot wait for the batches of producer "
                            + producer
                            + ": interrupted with "
                            + inFlight
                            + " of them in flight; open the producer again to learn what is in");
        }
        return inFlight >= count;
    }

    private void awaitCommit() {
        try {
            log.world().pause().await(underWay());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The commit that is under way, or the last one that was. */
    private synchronized CompletableFuture<Void> underWay() {
        return underWay;
    }

    private void commitQueued() {
        List<FinishedBatch> batches = takeQueued();
        while (!batches.isEmpty()) {
            commit(batches);
            batches = takeQueued();
        }
        // Nothing waits for this thread now.
        log.saveIfDue();
    }

    /** What the next commit holds; nothing if one is under way. */
    private synchronized List<FinishedBatch> takeQueued() {
        List<FinishedBatch> batches = new ArrayList<>();
        long bytes = 0;
        while (underWay.isDone()
                && !queue.isEmpty()
                && bytes < COMMIT_BYTES
                && batches.size() < Commit.ENTRIES_MAX) {
            FinishedBatch batch = queue.remove();
            bytes += batch.commitBytes();
            batches.add(batch);
        }
        if (!batches.isEmpty()) {
            underWay = new CompletableFuture<>();
        }
        return batches;
    }

    private void commit(List<FinishedBatch> batches) {
        try {
            batches.forEach(batch -> batch.upload().complete(log.world()));
            List<Entry> entries = batches.stream().map(batch -> (Entry) batch.entry()).toList();
            log.append(entries);
            batches.forEach(batch -> batch.committed(log));
            release(batches.size());
        } catch (Throwable e) {
            // An Error too: whoever waits would wait for ever, and nobody else would tell.
            fail(batches, e instanceof BatchWeaveException known ? known : unexpected(e));
            return;
        }
        tellOfCommit();
    }

    /** The batches are in the log, so what goes wrong from here on is not theirs. */
    private void tellOfCommit() {
        try {
            afterCommit.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("What was to run behind a commit of producer {} failed", producer, e);
        }
    }

    private void fail(List<FinishedBatch> batches, RuntimeException cause) {
        List<FinishedBatch> lost = new ArrayList<>(batches);
        lost.addAll(end(cause));
        try {
            lost.forEach(batch -> batch.failed(cause));
        } finally {
            release(batches.size());
        }
    }

    /** Lets no further batch in, and takes those that wait. */
    private synchronized List<FinishedBatch> end(RuntimeException cause) {
        failure = cause;
        List<FinishedBatch> waiting = List.copyOf(queue);
        queue.clear();
        inFlight -= waiting.size();
        return waiting;
    }

    private void release(int batches) {
        // What depends on it runs here and now, so not while nobody else gets at the queue.
        settled(batches).complete(null);
    }

    private synchronized CompletableFuture<Void> settled(int batches) {
        inFlight -= batches;
        return underWay;
    }

    private CommitUnknownException unexpected(Throwable cause) {
        return new CommitUnknownException(
                "Cannot tell which batches of producer "
                        + producer
                        + " are in the log: committing them failed with "
                        + cause
                        + "; open the producer again to learn it",
                cause);
    }
}
