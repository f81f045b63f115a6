package io.batchweave.produce;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One incarnation of a producer: writes global batches and publishes them exactly once, in order.
 *
 * <p>Committing runs beside writing: while one commit is under way the next batches are written,
 * and all that finish meanwhile ride along in the commit after it. Used by one thread; the
 * committing thread is its own.
 */
public final class Producer implements AutoCloseable {
    /** About how many bytes of entries go into one commit. */
    private static final long COMMIT_BYTES = 4 << 20;

    private final Log log;
    private final PayloadSchema schema;
    private final ProducerLimits limits;
    private final Executor committer;
    private final String name;
    private final long epoch;
    private final Bytes progressAtOpening;

    private final Deque<FinishedBatch> queue = new ArrayDeque<>();
    private long nextSequence;
    private int inFlight;
    private boolean writing;
    private RuntimeException failure;

    private Producer(
            Log log,
            PayloadSchema schema,
            ProducerLimits limits,
            Executor committer,
            String name,
            ProducerState opened) {
        this.log = log;
        this.schema = schema;
        this.limits = limits;
        this.committer = committer;
        this.name = name;
        this.epoch = opened.epoch();
        this.nextSequence = opened.nextSequence();
        this.progressAtOpening = opened.progress();
    }

    /**
     * Opens a producer and fences the incarnation before it, if there is one. Nothing is uploaded
     * before the opening is confirmed (LOG-6).
     *
     * @param committer runs commits, one after the other; it outlives the producer
     * @throws io.batchweave.errors.FencedException if the dataset is sealed, or declares other
     *     producers
     */
    public static Producer open(Log log, String name, ProducerLimits limits, Executor committer) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        OpenProducer opening = new OpenProducer(name, log.world().newId());
        State state = log.append(List.of(opening));
        return new Producer(
                log, schema, limits, committer, name, state.producer(name).orElseThrow());
    }

    /** The progress that was committed before this incarnation; empty for a new producer. */
    public Bytes progress() {
        return progressAtOpening;
    }

    public DatasetName dataset() {
        return log.layout().dataset();
    }

    public SliceGrid grid() {
        return log.state().dataset().grid();
    }

    public PayloadSchema schema() {
        return schema;
    }

    ProducerLimits limits() {
        return limits;
    }

    /**
     * Starts the next global batch; waits while too many are in flight.
     *
     * @throws BatchWeaveException if an earlier batch failed
     */
    public synchronized BatchWriter newBatch() {
        awaitInFlightBelow(limits.batchesInFlightMax());
        if (writing) {
            throw new InvalidRequestException(
                    "Cannot start a batch of producer "
                            + name
                            + ": the one before it is still being written;"
                            + " publish or close it first");
        }
        writing = true;
        return new BatchWriter(this, new Claim(name, epoch, nextSequence));
    }

    PartUpload startPart(Claim claim, int part) {
        return new PartUpload(log.store(), log.layout().part(claim, part));
    }

    synchronized void abandoned(Claim claim) {
        writing = false;
    }

    synchronized CompletableFuture<Long> commit(FinishedBatch batch) {
        writing = false;
        if (failure != null) {
            batch.uploads().forEach(PartUpload::close);
            batch.step().completeExceptionally(failure);
            return batch.step();
        }
        nextSequence = batch.entry().claim().sequence() + 1;
        inFlight++;
        queue.add(batch);
        committer.execute(this::commitQueued);
        return batch.step();
    }

    /**
     * Commits what is queued, all in one if it fits; does nothing if an earlier run took it along.
     */
    private void commitQueued() {
        List<FinishedBatch> batches = takeQueued();
        if (batches.isEmpty()) {
            return;
        }
        try {
            batches.forEach(batch -> batch.uploads().forEach(part -> part.complete(log.world())));
            List<Entry> entries = batches.stream().map(batch -> (Entry) batch.entry()).toList();
            State state = log.append(entries);
            committed(batches);
            for (FinishedBatch batch : batches) {
                batch.step().complete(state.stepOf(batch.entry().claim()).orElseThrow());
            }
        } catch (RuntimeException e) {
            failed(batches, e);
        }
    }

    private synchronized List<FinishedBatch> takeQueued() {
        List<FinishedBatch> batches = new ArrayList<>();
        long bytes = 0;
        while (!queue.isEmpty() && bytes < COMMIT_BYTES && batches.size() < Commit.ENTRIES_MAX) {
            FinishedBatch batch = queue.remove();
            bytes += batch.commitBytes();
            batches.add(batch);
        }
        return batches;
    }

    private synchronized void committed(List<FinishedBatch> batches) {
        inFlight -= batches.size();
        notifyAll();
    }

    private synchronized void failed(List<FinishedBatch> batches, RuntimeException cause) {
        if (failure == null) {
            failure = cause;
        }
        List<FinishedBatch> lost = new ArrayList<>(batches);
        lost.addAll(queue);
        queue.clear();
        inFlight = 0;
        for (FinishedBatch batch : lost) {
            batch.uploads().forEach(PartUpload::close);
            batch.step().completeExceptionally(cause);
        }
        notifyAll();
    }

    /**
     * Returns once every batch that was published is in the log.
     *
     * @throws BatchWeaveException if one failed; this incarnation can publish nothing more, and
     *     opening the producer again tells where to continue
     */
    public synchronized void flush() {
        awaitInFlightBelow(1);
    }

    /**
     * Says that the producer has published all it has; where the dataset declares its producers,
     * the last to finish seals it.
     *
     * @param progress the last source positions
     */
    public void finish(Bytes progress) {
        flush();
        log.append(List.of(new Finish(new Claim(name, epoch, nextSequence), progress)));
        nextSequence++;
    }

    private void awaitInFlightBelow(int most) {
        try {
            while (failure == null && inFlight >= most) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "Cannot wait for the batches of producer "
                            + name
                            + ": interrupted with "
                            + inFlight
                            + " of them in flight; open the producer again to learn what is in",
                    e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Waits for what is in flight; what failed has been told to whoever published it. */
    @Override
    public synchronized void close() {
        try {
            awaitInFlightBelow(1);
        } catch (RuntimeException e) {
            // Whoever published the batch has the cause: its future failed with it.
        }
    }
}
