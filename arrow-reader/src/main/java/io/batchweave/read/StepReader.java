package io.batchweave.read;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.SliceGrid;
import io.batchweave.model.StepRanges;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The steps of a dataset in order, as one rank gets them, fetched ahead within a byte budget.
 *
 * <p>Used by one thread. Seeking costs nothing: opening at a step reads none of the steps before
 * it. Nothing is fetched before the first step is asked for.
 */
public final class StepReader implements AutoCloseable {
    private final Log log;
    private final ReadLimits limits;
    private final StepRanges passed;
    private final Prefetch prefetch;
    private long nextStep;
    private RuntimeException failure;

    private StepReader(
            Log log,
            Course course,
            Place place,
            long step,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        this.log = log;
        this.limits = limits;
        StepMemory memory = new StepMemory(allocator, limits.prefetchBytes());
        StepFetch fetch = new StepFetch(log, course, schema, allocator, memory);
        this.passed = course.passed();
        this.prefetch = new Prefetch(fetch, place, passed, limits, fetchers, step);
        this.nextStep = step;
    }

    /**
     * Opens at a step, which need not be published yet.
     *
     * @param allocator gives the memory of what is delivered; it outlives the reader
     * @param fetchers runs fetches, several at once if it can; what it does not run is fetched by
     *     {@link #next}
     * @throws InvalidRequestException if the step is none that can be, or the place is none of this
     *     dataset's grid
     * @throws ExpiredException if its payload is swept
     */
    public static StepReader open(
            Log log,
            Place place,
            long step,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        return open(
                log, Course.of(log.state(), name(log)), place, step, limits, allocator, fetchers);
    }

    /**
     * Opens at the start of a session: what it passes over is not delivered, on any rank.
     *
     * @throws InvalidRequestException if the job has made a checkpoint in the session, so that its
     *     models are further; or if the place is none of this dataset's grid
     */
    public static StepReader open(
            Log log,
            Place place,
            Session session,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        Course.demandFresh(session, log.catchUp(), name(log));
        Course course = Course.of(log.state(), name(log), session);
        return open(log, course, place, session.start().nextStep(), limits, allocator, fetchers);
    }

    /**
     * Resumes where a cursor was taken, in no session.
     *
     * @throws InvalidRequestException if it was taken from another dataset or another history, or
     *     in a session
     * @throws ExpiredException if the payload of the step there is swept
     */
    public static StepReader resume(
            Log log,
            Place place,
            Cursor cursor,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        if (cursor.isOfASession()) {
            throw new InvalidRequestException(
                    "Cannot resume "
                            + name(log)
                            + " at step "
                            + cursor.nextStep()
                            + ": the cursor was taken in session "
                            + cursor.session()
                            + " of job "
                            + cursor.job()
                            + "; resume in a session of that job");
        }
        Course course = Course.of(log.state(), name(log));
        know(cursor.nextStep(), log);
        course.demandFits(cursor, log);
        return open(log, course, place, cursor.nextStep(), limits, allocator, fetchers);
    }

    /**
     * Resumes in a session: where a cursor of it was taken, or at its start by the cursor that was
     * saved with the checkpoint there.
     *
     * @throws InvalidRequestException if the cursor lies elsewhere, or if what was given before it
     *     is not what this session gives
     */
    public static StepReader resume(
            Log log,
            Place place,
            Session session,
            Cursor cursor,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        Course course = Course.of(log.state(), name(log), session);
        know(Math.max(cursor.nextStep(), session.start().nextStep()), log);
        course.demandFits(cursor, log);
        course.demandIn(session, cursor, log);
        return open(log, course, place, cursor.nextStep(), limits, allocator, fetchers);
    }

    /** Who gave out the cursor may have seen more of the log than we have. */
    private static void know(long steps, Log log) {
        if (steps > log.state().nextStep()) {
            log.catchUp();
        }
    }

    private static String name(Log log) {
        return log.layout().dataset().toString();
    }

    private static StepReader open(
            Log log,
            Course course,
            Place place,
            long step,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        SliceGrid grid = log.state().dataset().grid();
        if (step < 0 || step == Long.MAX_VALUE) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + name(log)
                            + " from step "
                            + step
                            + ": steps count from 0 and end before "
                            + Long.MAX_VALUE);
        }
        if (!place.isOn(grid)) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + name(log)
                            + " at place '"
                            + place.text()
                            + "': it is none of the grid "
                            + grid);
        }
        Optional<ExpiredException> expired = Expiry.of(course.passed().nextOutside(step), log);
        if (expired.isPresent()) {
            throw expired.get();
        }
        return new StepReader(log, course, place, step, limits, allocator, fetchers);
    }

    /** The step that {@link #next} delivers next. */
    public long nextStep() {
        return passed.nextOutside(nextStep);
    }

    /**
     * The next step; empty once the dataset is sealed and over, or at the end that was set. The
     * caller closes what it gets. A damaged step ends this reader: it never goes on with the one
     * after it.
     *
     * @throws UnavailableException if the step is not published within {@code wait}: it says what
     *     is waited for; also if the store does not answer, or the thread is interrupted; the same
     *     step may be asked for again
     * @throws io.batchweave.errors.CorruptException if what is stored is not what was published; it
     *     names the object
     * @throws ExpiredException if the payload of the step was swept before it was fetched
     * @throws InvalidRequestException if the reader was opened beyond the end of the data, or was
     *     closed
     */
    public Optional<StepBatch> next(Duration wait) {
        if (failure != null) {
            throw failure;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        if (nextStep() >= limits.stepEnd() || !isPublished(wait)) {
            return Optional.empty();
        }
        StepBatch batch = take();
        nextStep = nextStep() + 1;
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
        if (nextStep > state.nextStep()) {
            throw new InvalidRequestException(
                    text("the dataset was sealed after " + state.nextStep() + " steps"));
        }
    }

    private StepBatch take() {
        try {
            return prefetch.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
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

    /** Payload that is not there was swept or is lost: the log as it is by now tells which. */
    private RuntimeException expiredOrLost(MissingPayload missing) {
        log.catchUp();
        Optional<ExpiredException> expired = Expiry.of(nextStep(), log);
        return expired.isPresent() ? expired.get() : new CorruptException(missing.getMessage());
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

    /** Gives back what was fetched and not delivered; waits for fetches that are under way. */
    @Override
    public void close() {
        failure = new InvalidRequestException(text("the reader was closed; open another"));
        prefetch.close();
    }
}
