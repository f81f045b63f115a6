package io.batchweave.read;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.Tombstone;
import io.batchweave.model.SliceGrid;
import io.batchweave.model.StepRanges;
import io.batchweave.state.State;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * The steps of a dataset in order, as one reader is given them, fetched ahead to wherever they are
 * to go.
 *
 * <p>Used by one thread. Seeking costs nothing: opening at a step reads none of the steps before
 * it. Nothing is fetched before the first step is asked for.
 */
public final class Delivery<B extends Delivered> implements AutoCloseable {
    private final Log log;
    private final StepRanges passed;
    private final Turn turn;
    private final long stepEnd;
    private final long stepOpened;
    private final Prefetch<B> prefetch;
    private final Duration longestWait;
    private long nextStep;
    private RuntimeException failure;

    private Delivery(
            Log log,
            Start start,
            Turn turn,
            long stepEnd,
            Duration longestWait,
            Prefetch<B> prefetch) {
        this.log = log;
        this.passed = start.course().passed();
        this.turn = turn;
        this.stepEnd = stepEnd;
        this.stepOpened = start.step();
        this.longestWait = longestWait;
        this.prefetch = prefetch;
        this.nextStep = turn.first(start.step(), passed);
    }

    /**
     * Opens at a start.
     *
     * @param stepEnd the first step that is not delivered any more
     * @param fetchers runs fetches, several at once if it can; what it does not run is fetched by
     *     {@link #next}
     * @throws InvalidRequestException if the step is none that can be, or the place is none of this
     *     dataset's grid
     * @throws ExpiredException if its payload is swept
     */
    public static <B extends Delivered> Delivery<B> open(
            Log log,
            Place place,
            Start start,
            Turn turn,
            Runway runway,
            long stepEnd,
            StepTarget<B> target,
            Executor fetchers) {
        long step = start.step();
        SliceGrid grid = log.state().dataset().grid();
        if (step < 0 || step == Long.MAX_VALUE) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + log.layout().dataset()
                            + " from step "
                            + step
                            + ": steps count from 0 and end before "
                            + Long.MAX_VALUE);
        }
        if (!place.isOn(grid)) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + log.layout().dataset()
                            + " at place '"
                            + place.text()
                            + "': it is none of the grid "
                            + grid);
        }
        long first = turn.first(step, start.course().passed());
        Optional<ExpiredException> expired = Expiry.of(first, log);
        if (expired.isPresent()) {
            throw expired.get();
        }
        Prefetch<B> prefetch =
                new Prefetch<>(log, start, place, turn, runway, stepEnd, target, fetchers);
        return new Delivery<>(log, start, turn, stepEnd, target.limits().most(), prefetch);
    }

    /** The step that {@link #next} delivers next. */
    public long nextStep() {
        return nextStep;
    }

    /**
     * The next step; empty once the dataset is sealed and over, or at the end that was set. The
     * caller closes what it gets. A damaged step ends this reader: it never goes on with the one
     * after it.
     *
     * @throws UnavailableException if the step is not published within {@code wait}: it says what
     *     is waited for; also if the store does not answer, or not in time, or the thread is
     *     interrupted; the same step may be asked for again
     * @throws io.batchweave.errors.CorruptException if what is stored is not what was published; it
     *     names the object
     * @throws ExpiredException if the payload of the step was swept before it was fetched
     * @throws InvalidRequestException if the reader was opened beyond the end of the data, or was
     *     closed
     */
    public Optional<B> next(Duration wait) {
        if (failure != null) {
            throw failure;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        if (nextStep() >= stepEnd || !isPublished(wait)) {
            return Optional.empty();
        }
        B batch = take();
        nextStep = turn.after(nextStep, passed);
        // While the caller works on this step, what it made room for is fetched.
        prefetch.fill(log.state());
        return Optional.of(batch);
    }

    /** Waits until the step is published, and starts to fetch it; false if it never will be. */
    private boolean isPublished(Duration wait) {
        Deadline deadline = log.world().deadline(wait);
        prefetch.fill(lookIfShort());
        while (prefetch.isEmpty()) {
            State state = log.state();
            if (state.phase() == State.Phase.SEALED && nextStep() >= state.nextStep()) {
                checkEnd(state);
                return false;
            }
            if (!deadline.remains() || !log.awaitNews(state.version(), deadline)) {
                throw Thread.currentThread().isInterrupted()
                        ? interrupted()
                        : new UnavailableException(text(Unpublished.why(log.state(), wait)));
            }
            prefetch.fill(log.state());
        }
        return true;
    }

    /** Looks into the log, but not while there is a runway. */
    private State lookIfShort() {
        State state = log.state();
        if (!prefetch.isShort(state)) {
            return state;
        }
        try {
            return log.catchUp();
        } catch (UnavailableException e) {
            if (prefetch.isEmpty()) {
                throw e;
            }
            // What is fetched is delivered all the same; the next look tells more.
            return state;
        }
    }

    private void checkEnd(State state) {
        if (stepOpened > state.nextStep()) {
            throw new InvalidRequestException(
                    text("the dataset was sealed after " + state.nextStep() + " steps"));
        }
    }

    private B take() {
        try {
            return prefetch.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (TimeoutException e) {
            throw new UnavailableException(
                    text(
                            "it is published, and its payload did not come within "
                                    + longestWait.toMillis()
                                    + " ms; look at the store, and ask for the same step again"),
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnavailableException notNow) {
                throw notNow;
            }
            failure = lasting(e.getCause());
            throw failure;
        }
    }

    /** What this reader ends with. */
    private RuntimeException lasting(Throwable cause) {
        if (cause instanceof MissingPayload missing) {
            return expiredOrLost(missing);
        }
        return cause instanceof BatchWeaveException known ? known : unexpected(cause);
    }

    /** Payload that is not there was swept, dropped or lost: the log as it is by now tells. */
    private RuntimeException expiredOrLost(MissingPayload missing) {
        log.catchUp();
        Optional<ExpiredException> expired = Expiry.of(nextStep(), log);
        return expired.isPresent()
                ? expired.get()
                : Tombstone.lost(log.layout().dataset(), log.store(), missing.getMessage());
    }

    private UnavailableException interrupted() {
        return new UnavailableException(
                text("the thread was interrupted; ask for the same step again"));
    }

    private UnavailableException unexpected(Throwable cause) {
        return new UnavailableException(
                text("fetching it failed with " + cause + "; mend that and open a reader at it"),
                cause);
    }

    private String text(String why) {
        return "Cannot read step " + nextStep() + " of " + log.layout().dataset() + ": " + why;
    }

    /**
     * Gives back what was fetched ahead, so that others have its room; it is fetched once more when
     * it is needed. Any thread may say so.
     */
    public void drop() {
        prefetch.drop();
    }

    /** Gives back what was fetched and not delivered; waits for fetches that are under way. */
    @Override
    public void close() {
        failure = new InvalidRequestException(text("the reader was closed; open another"));
        prefetch.close();
    }
}
