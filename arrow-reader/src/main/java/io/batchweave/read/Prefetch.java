package io.batchweave.read;

import io.batchweave.log.Log;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * The steps that are fetched, or being fetched, and not yet delivered: in order, and within the
 * byte budget. Used by one thread, but for {@link #drop}.
 */
final class Prefetch<B extends Delivered> implements AutoCloseable {
    private final Log log;
    private final Course course;
    private final Place place;
    private final Turn turn;
    private final Runway runway;
    private final long stepEnd;
    private final StepTarget<B> target;
    private final Executor fetchers;
    private final Hedges hedges;

    private final Deque<Ahead<B>> steps = new ConcurrentLinkedDeque<>();
    private long bytes;
    private long nextStep;

    Prefetch(
            Log log,
            Start start,
            Place place,
            Turn turn,
            Runway runway,
            long stepEnd,
            StepTarget<B> target,
            Executor fetchers) {
        this.log = log;
        this.course = start.course();
        this.place = place;
        this.turn = turn;
        this.runway = runway;
        this.stepEnd = stepEnd;
        this.target = target;
        this.fetchers = fetchers;
        this.hedges = new Hedges(target.limits(), log.world().clock());
        this.nextStep = turn.first(start.step(), course.passed());
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Whether one step is left at most, and only a look into the log could bring more. */
    boolean isShort(State state) {
        return steps.size() <= 1
                && nextStep >= state.nextStep()
                && nextStep < stepEnd
                && state.phase() == State.Phase.OPEN;
    }

    /** Starts to fetch what the State has and the limits allow. */
    void fill(State state) {
        long end = Math.min(state.nextStep(), stepEnd);
        while (nextStep < end && add(log.step(nextStep))) {
            nextStep = turn.after(nextStep, course.passed());
        }
    }

    private boolean add(StepRecord step) {
        List<SliceRun> runs = SliceRun.of(step, place.slices());
        long needed = target.bytes(runs);
        if (!steps.isEmpty() && !runway.hasRoom(steps.size(), bytes, needed)) {
            return false;
        }
        Cursor after = course.after(step.step(), step.receipt());
        Ahead<B> ahead =
                new Ahead<>(
                        needed,
                        () -> hedges.timed(() -> target.fetch(step, runs, after)),
                        hedges,
                        fetchers,
                        log.world().pause());
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
     * could not be fetched stays the first, and is fetched anew when it is taken again; one that
     * does not come in time stays on its way.
     */
    B take() throws InterruptedException, ExecutionException, TimeoutException {
        Ahead<B> first = steps.element();
        try {
            B batch = first.await();
            bytes -= steps.remove().bytes();
            return batch;
        } catch (ExecutionException e) {
            steps.remove();
            steps.addFirst(first.again());
            throw e;
        }
    }

    /** Makes room for others; any thread may say so. */
    void drop() {
        steps.forEach(Ahead::drop);
    }

    @Override
    public void close() {
        steps.forEach(Ahead::giveUp);
        steps.clear();
        // A fetch that a hedge was faster than may still be writing into its memory.
        Ahead.awaitUninterrupted(hedges.lastEnded(), log.world().pause());
        target.close();
    }
}
