package io.batchweave.cli.publish;

import io.batchweave.cli.rows.arrow.InputPipe;
import io.batchweave.cli.rows.arrow.PipedSlices;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One producer, and what became of its batches.
 *
 * <p>A producer that has finished before is opened anew only for a batch. So a program that was
 * killed behind its last request, and does it all again, is told that it is done.
 */
final class Publication implements AutoCloseable {
    private static final String ROWS = "rows";

    private final Log log;
    private final String name;
    private final Executor committer;
    private final Runnable afterCommit;
    private final BufferAllocator allocator;
    private final Deque<Committed> underWay = new ArrayDeque<>();
    private Optional<Producer> producer = Optional.empty();
    private boolean finished;
    private Bytes progress;

    /** A batch, and the step it becomes. */
    record Committed(long sequence, CompletableFuture<Long> step) {}

    /** Where a producer stands when a program has started. */
    record Standing(long epoch, long nextSequence, Bytes progress, boolean finished) {}

    Publication(
            Log log,
            String name,
            Executor committer,
            Runnable afterCommit,
            BufferAllocator allocator) {
        this.log = log;
        this.afterCommit = afterCommit;
        this.name = name;
        this.committer = committer;
        this.allocator = allocator;
        Optional<ProducerState> known = log.state().producer(name);
        this.finished = known.map(ProducerState::finished).orElse(false);
        this.progress = known.map(ProducerState::progress).orElse(Bytes.EMPTY);
        if (!finished) {
            open();
        }
    }

    private Producer open() {
        Producer opened = Producer.open(log, name, ProducerLimits.DEFAULT, committer, afterCommit);
        producer = Optional.of(opened);
        progress = opened.progress();
        return opened;
    }

    Standing standing() {
        if (producer.isPresent()) {
            Producer now = producer.get();
            return new Standing(now.epoch(), now.nextSequence(), progress, finished);
        }
        ProducerState known = log.state().producer(name).orElseThrow();
        return new Standing(known.epoch(), known.nextSequence(), progress, finished);
    }

    /** Where a restart goes on once all that was published is in the log. */
    Bytes progress() {
        return progress;
    }

    /** Publishes the batch whose slices come through the pipe; returns its sequence. */
    long publish(Request.Publish request, InputPipe pipe) {
        if (finished && producer.isPresent()) {
            throw new InvalidRequestException(
                    "Cannot publish as producer "
                            + name
                            + ": it has finished; start another process to go on");
        }
        finished = false;
        Producer open = producer.isPresent() ? producer.get() : open();
        long sequence = open.nextSequence();
        String place = "batch " + sequence + " on standard input";
        try (BatchWriter batch = open.newBatch();
                PipedSlices slices = PipedSlices.open(pipe, open.schema(), allocator, place)) {
            long rows = 0;
            while (slices.next()) {
                batch.write(slices.slice());
                rows += slices.slice().getRowCount();
            }
            underWay.add(
                    new Committed(
                            sequence,
                            batch.publish(
                                    request.progress(),
                                    counts(request.counts(), rows),
                                    request.provenance())));
        }
        progress = request.progress();
        return sequence;
    }

    private static List<Count> counts(List<Count> named, long rows) {
        List<Count> counts = new ArrayList<>(named);
        if (named.stream().noneMatch(count -> count.name().equals(ROWS))) {
            counts.add(new Count(ROWS, rows));
        }
        return counts;
    }

    /** The batches that are known to be in the log and were not told of yet. */
    List<Committed> news() {
        List<Committed> news = new ArrayList<>();
        while (!underWay.isEmpty() && isIn(underWay.element())) {
            news.add(underWay.remove());
        }
        return news;
    }

    private static boolean isIn(Committed batch) {
        return batch.step().isDone() && !batch.step().isCompletedExceptionally();
    }

    /** Returns once every batch is in the log. */
    void flush() {
        producer.filter(open -> !finished).ifPresent(Producer::flush);
    }

    /** Says that this producer has published all it has, if that is not said yet. */
    State finish(Bytes last) {
        if (!finished) {
            producer.orElseThrow().finish(last);
            finished = true;
            progress = last;
        }
        return log.catchUp();
    }

    /** Finishes, and seals if all have finished. */
    State seal() {
        State state = finish(progress);
        if (state.phase() == State.Phase.OPEN && state.unfinished().isEmpty()) {
            state = log.append(List.of(new Seal(SealCondition.ALL_FINISHED)));
        }
        if (state.phase() == State.Phase.OPEN) {
            throw new InvalidRequestException(
                    "Cannot seal "
                            + log.layout().dataset()
                            + ": not finished: producer "
                            + String.join(", ", state.unfinished())
                            + "; let the last one to finish seal it, or run 'batchweave seal'");
        }
        return state;
    }

    @Override
    public void close() {
        producer.ifPresent(Producer::close);
    }
}
