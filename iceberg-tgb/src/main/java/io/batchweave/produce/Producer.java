package io.batchweave.produce;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One incarnation of a producer: writes global batches and publishes them exactly once, in order.
 *
 * <p>Committing runs beside writing: while one commit is under way the next batches are written,
 * and all that finish meanwhile ride along in the commit after it. Used by one thread; the
 * committing thread is its own.
 *
 * <p>If a batch fails, so does all that follows: this incarnation can publish nothing more, and
 * opening the producer again tells where to continue.
 */
public final class Producer implements AutoCloseable {
    private final Log log;
    private final PayloadSchema schema;
    private final ProducerLimits limits;
    private final CommitQueue commits;
    private final Lead lead;
    private final String name;
    private final long epoch;
    private final Bytes progressAtOpening;

    private long nextSequence;
    private Phase phase = Phase.IDLE;

    private enum Phase {
        IDLE,
        /** A batch is being written; its sequence is the next. */
        WRITING,
        /** Finished, or closed. */
        OVER
    }

    private Producer(
            Log log,
            PayloadSchema schema,
            ProducerLimits limits,
            Executor committer,
            Runnable afterCommit,
            String name,
            ProducerState opened) {
        this.log = log;
        this.schema = schema;
        this.limits = limits;
        this.commits = new CommitQueue(log, name, committer, afterCommit);
        this.lead = new Lead(log, name, opened.epoch());
        this.name = name;
        this.epoch = opened.epoch();
        this.nextSequence = opened.nextSequence();
        this.progressAtOpening = opened.progress();
    }

    /**
     * Opens a producer and fences the incarnation before it, if there is one. Nothing is uploaded
     * before the opening is confirmed (LOG-6).
     *
     * @param committer uploads payload, with as many threads as it has, and runs commits, one after
     *     the other; what it does not run is done by the thread that waits for it
     * @throws io.batchweave.errors.FencedException if the dataset is sealed, or declares other
     *     producers
     */
    public static Producer open(Log log, String name, ProducerLimits limits, Executor committer) {
        return open(log, name, limits, committer, () -> {});
    }

    /**
     * Opens a producer that tells of its commits, for what is done every so many of them, such as
     * {@code steps.BackgroundFold}.
     *
     * @param afterCommit runs behind each commit of batches, on the thread that made it, which may
     *     be the one that publishes: so it must return at once. What it throws is logged, and
     *     changes nothing.
     */
    public static Producer open(
            Log log, String name, ProducerLimits limits, Executor committer, Runnable afterCommit) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        OpenProducer opening = new OpenProducer(name, log.world().newId());
        State state = log.append(List.of(opening));
        return new Producer(
                log,
                schema,
                limits,
                committer,
                afterCommit,
                name,
                state.producer(name).orElseThrow());
    }

    /** The progress that was committed before this incarnation; empty for a new producer. */
    public Bytes progress() {
        return progressAtOpening;
    }

    /** This incarnation: greater than that of any before it. */
    public long epoch() {
        return epoch;
    }

    /** The sequence of the batch that is published next; of those before it each was. */
    public long nextSequence() {
        return nextSequence;
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
     * Starts the next global batch; waits while too many are in flight, and while so many steps are
     * ahead of the slowest attached job as the dataset allows.
     *
     * @throws BatchWeaveException if an earlier batch failed, or the thread was interrupted
     * @throws InvalidRequestException if another batch is being written, or the producer has
     *     finished
     */
    public BatchWriter newBatch() {
        demandIdle("start a batch");
        commits.awaitFewerThan(limits.batchesInFlightMax());
        lead.await(commits.inFlight(), this::flush);
        phase = Phase.WRITING;
        return new BatchWriter(this, new Claim(name, epoch, nextSequence));
    }

    PartUpload startPart(Claim claim, int part) {
        return new PartUpload(log.store(), log.layout().part(claim, part), schema);
    }

    /** The batch is written no more; if it was not published, the next one has its sequence. */
    void ended() {
        phase = phase == Phase.OVER ? Phase.OVER : Phase.IDLE;
    }

    CompletableFuture<Long> commit(FinishedBatch batch) {
        ended();
        nextSequence++;
        commits.add(batch);
        return batch.step();
    }

    /**
     * Returns once every batch that was published is in the log.
     *
     * @throws BatchWeaveException if one failed
     */
    public void flush() {
        commits.awaitFewerThan(1);
    }

    /**
     * Says that the producer has published all it has; where the dataset declares its producers,
     * the last to finish seals it. Whatever comes of it, this incarnation is over.
     *
     * @param progress the last source positions
     * @throws BatchWeaveException if a batch failed, or it is not known whether the end is in
     * @throws InvalidRequestException if a batch is being written
     */
    public void finish(Bytes progress) {
        demandIdle("publish the end");
        flush();
        Finish end = new Finish(new Claim(name, epoch, nextSequence), progress);
        // A batch after this one would have its claim, and be taken for it if it is in.
        phase = Phase.OVER;
        log.append(List.of(end));
        log.saveAtEnd();
    }

    private void demandIdle(String purpose) {
        if (phase != Phase.IDLE) {
            throw new InvalidRequestException(
                    "Cannot "
                            + purpose
                            + " of producer "
                            + name
                            + ": "
                            + (phase == Phase.WRITING
                                    ? "one is still being written; publish or close it first"
                                    : "it has finished or was closed; open it again"));
        }
    }

    /**
     * Waits for what is in flight. A batch that does not get into the log tells so by its step; if
     * the thread is interrupted, that are all that nobody has begun to commit.
     */
    @Override
    public void close() {
        phase = Phase.OVER;
        commits.close();
    }
}
