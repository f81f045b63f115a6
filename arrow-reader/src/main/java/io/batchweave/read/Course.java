package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.StepRanges;
import io.batchweave.state.JobState;
import io.batchweave.state.Receipts;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import java.util.Optional;

/**
 * Which steps a reader is given: all of them, or those of a session. It is decided before the first
 * step and never changes, whatever is skipped meanwhile (READ-5).
 *
 * @param dataset its name, for messages
 * @param job empty, as {@code session}: the reader is in no session
 * @param passed the steps that are not given
 */
public record Course(
        String dataset, String datasetId, String job, String session, StepRanges passed) {

    /** All steps. */
    static Course of(State state, String dataset) {
        return new Course(dataset, state.dataset().id(), "", "", StepRanges.NONE);
    }

    /** The steps of a session. */
    static Course of(State state, String dataset, Session session) {
        return new Course(
                dataset, state.dataset().id(), session.job(), session.id(), session.passed());
    }

    /** Where to read on after a step. */
    Cursor after(long step, Bytes chain) {
        Bytes receipt = Receipts.given(chain, passed.below(step + 1));
        return new Cursor(datasetId, step + 1, receipt, job, session);
    }

    /**
     * The cursor before a step.
     *
     * @param log one that has all the steps before it
     */
    Cursor before(long step, Log log) {
        return new Cursor(datasetId, step, given(step, log), job, session);
    }

    /**
     * Makes sure that what was given before a cursor is what this course gives.
     *
     * @throws InvalidRequestException if it belongs to another dataset or another history
     */
    void demandFits(Cursor cursor, Log log) {
        State state = log.state();
        if (!cursor.datasetId().equals(datasetId)) {
            throw refused(
                    cursor,
                    "the cursor was taken from dataset "
                            + cursor.datasetId()
                            + ", this is "
                            + datasetId);
        }
        if (cursor.nextStep() > state.nextStep()) {
            throw refused(
                    cursor,
                    "only "
                            + state.nextStep()
                            + " steps are published, so the cursor belongs to another history");
        }
        Bytes actual = given(cursor.nextStep(), log);
        if (!cursor.receipt().equals(actual)) {
            throw refused(
                    cursor,
                    "the cursor's receipt is "
                            + cursor.receipt()
                            + ", the log's is "
                            + actual
                            + (session.isEmpty()
                                    ? "; it belongs to another history"
                                    : " in session " + session + " of job " + job));
        }
    }

    /** The receipt of what this course gives up to a step. */
    private Bytes given(long step, Log log) {
        return Receipts.given(log.receiptBefore(step), passed.below(step));
    }

    /**
     * Makes sure that a cursor lies where a rank can go on in a session: in it, or at its start.
     *
     * @throws InvalidRequestException if not
     */
    void demandIn(Session session, Cursor cursor, Log log) {
        boolean isOfIt = cursor.job().equals(job) && cursor.session().equals(this.session);
        long start = session.start().nextStep();
        if (isOfIt ? cursor.nextStep() < start : cursor.nextStep() != start) {
            throw refused(
                    cursor,
                    "the cursor's receipt is "
                            + cursor.receipt()
                            + ", and session "
                            + session.id()
                            + " of job "
                            + job
                            + " starts at "
                            + session.start()
                            + ", with "
                            + given(start, log)
                            + "; load that checkpoint, or start a session at the cursor's");
        }
    }

    /**
     * Makes sure that no model of the session is further than its start.
     *
     * @throws InvalidRequestException if the job has made a checkpoint in it
     */
    static void demandFresh(Session session, State state, String dataset) {
        Optional<JobState> job =
                state.job(session.job())
                        .filter(now -> now.session().filter(session::equals).isPresent())
                        .filter(now -> !now.position().equals(session.start()));
        if (job.isPresent()) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + dataset
                            + " from the start of session "
                            + session.id()
                            + " of job "
                            + session.job()
                            + ", step "
                            + session.start().nextStep()
                            + ": the job has made "
                            + job.get().position()
                            + " in it; resume at a cursor, or start another session");
        }
    }

    private InvalidRequestException refused(Cursor cursor, String why) {
        return new InvalidRequestException(
                "Cannot resume " + dataset + " at step " + cursor.nextStep() + ": " + why);
    }
}
