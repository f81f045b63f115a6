package io.batchweave.read;

import io.batchweave.model.StepRanges;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * The steps that are fetched, or being fetched, and not yet delivered: in order, and within the
 * byte budget. Used by one thread.
 */
final class Prefetch implements AutoCloseable {
    private final StepFetch fetch;
    private final Place place;
    private final StepRanges passed;
    private final ReadLimits limits;
    private final Executor fetchers;

    private final Deque<Ahead> steps = new ArrayDeque<>();
    private long bytes;
    private long nextStep;

    /**
     * @param passed the steps that are not fetched
     */
    Prefetch(
            StepFetch fetch,
            Place place,
            StepRanges passed,
            ReadLimits limits,
            Executor fetchers,
            long firstStep) {
        this.fetch = fetch;
        this.place = place;
        this.passed = passed;
        this.limits = limits;
        this.fetchers = fetchers;
        this.nextStep = passed.nextOutside(firstStep);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Whether one step is left at most, and only a look into the log could bring more. */
    boolean isShort(State state) {
        return steps.size() <= 1
                && nextStep >= state.nextStep()
                && nextStep < limits.stepEnd()
                && state.phase() == State.Phase.OPEN;
    }

    /** Starts to fetch what the State has and the limits allow. */
    void fill(State state) {
        long end = Math.min(state.nextStep(), limits.stepEnd());
        while (nextStep < end && add(fetch.record(nextStep))) {
            nextStep = passed.nextOutside(nextStep + 1);
        }
    }

    private boolean add(StepRecord step) {
        List<SliceRun> runs = SliceRun.of(step, place.slices());
        long needed = StepFetch.memoryBytes(runs);
        if (!steps.isEmpty() && bytes + needed > limits.prefetchBytes()) {
            return false;
        }
        Ahead ahead = new Ahead(needed, () -> fetch.fetch(step, runs), fetch.pause());
        steps.add(ahead);
        bytes += needed;
        try {
            fetchers.execute(ahead);
        } catch (RuntimeException | Error e) {
            // Whatever keeps the executor from it, the step is fetched when it is taken.
        }
        return true;
    }

    /**
     * The first step, which is there: waits until it is fetched. The caller closes it. One that
     * could not be fetched stays the first, and is fetched anew when it is taken again.
     */
    StepBatch take() throws InterruptedException, ExecutionException {
        Ahead first = steps.element();
        try {
            StepBatch batch = first.await();
            bytes -= steps.remove().bytes();
            return batch;
        } catch (ExecutionException e) {
            steps.remove();
            steps.addFirst(first.again());
            throw e;
        }
    }

    @Override
    public void close() {
        steps.forEach(Ahead::giveUp);
        steps.clear();
        fetch.close();
    }
}
