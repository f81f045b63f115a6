package io.batchweave.read;

import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The steps of a dataset in order, as one rank gets them in the memory of its process, fetched
 * ahead within a byte budget.
 *
 * <p>Used by one thread. Seeking costs nothing: opening at a step reads none of the steps before
 * it. Nothing is fetched before the first step is asked for.
 */
public final class StepReader implements AutoCloseable {
    private final Delivery<StepBatch> delivery;

    private StepReader(Delivery<StepBatch> delivery) {
        this.delivery = delivery;
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
        return open(log, Start.at(step, log), place, limits, allocator, fetchers);
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
        return open(log, Start.of(session, log), place, limits, allocator, fetchers);
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
        return open(log, Start.of(cursor, log), place, limits, allocator, fetchers);
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
        return open(log, Start.of(session, cursor, log), place, limits, allocator, fetchers);
    }

    /** Opens at any start. */
    public static StepReader open(
            Log log,
            Start start,
            Place place,
            ReadLimits limits,
            BufferAllocator allocator,
            Executor fetchers) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        StepMemory memory = new StepMemory(allocator, limits.prefetchBytes());
        return new StepReader(
                Delivery.open(
                        log,
                        place,
                        start,
                        Turn.ALL,
                        limits,
                        limits.stepEnd(),
                        new StepFetch(log, schema, allocator, memory, limits.fetches()),
                        fetchers));
    }

    /** The step that {@link #next} delivers next. */
    public long nextStep() {
        return delivery.nextStep();
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
    public Optional<StepBatch> next(Duration wait) {
        return delivery.next(wait);
    }

    /** Gives back what was fetched and not delivered; waits for fetches that are under way. */
    @Override
    public void close() {
        delivery.close();
    }
}
