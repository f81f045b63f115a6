package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.state.Session;
import java.util.Optional;

/**
 * Where a reader starts, and which steps it is given from there on.
 *
 * @param step which need not be published yet
 */
public record Start(Course course, long step) {

    /** At a step, in no session. */
    public static Start at(long step, Log log) {
        return new Start(Course.of(log.state(), name(log)), step);
    }

    /**
     * At the start of a session: what it passes over is not delivered, on any rank.
     *
     * @throws InvalidRequestException if the job has made a checkpoint in the session, so that its
     *     models are further
     */
    public static Start of(Session session, Log log) {
        Course.demandFresh(session, log.catchUp(), name(log));
        return new Start(Course.of(log.state(), name(log), session), session.start().nextStep());
    }

    /**
     * Where a cursor was taken, in no session.
     *
     * @throws InvalidRequestException if it was taken from another dataset or another history, or
     *     in a session
     */
    public static Start of(Cursor cursor, Log log) {
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
        return new Start(course, cursor.nextStep());
    }

    /**
     * In a session: where a cursor of it was taken, or at its start by the cursor that was saved
     * with the checkpoint there.
     *
     * @throws InvalidRequestException if the cursor lies elsewhere, or if what was given before it
     *     is not what this session gives
     */
    public static Start of(Session session, Cursor cursor, Log log) {
        Course course = Course.of(log.state(), name(log), session);
        know(Math.max(cursor.nextStep(), session.start().nextStep()), log);
        course.demandFits(cursor, log);
        course.demandIn(session, cursor, log);
        return new Start(course, cursor.nextStep());
    }

    /** Its cursor; empty while the steps before it are not all published. */
    public Optional<Cursor> cursor(Log log) {
        return step <= log.state().nextStep()
                ? Optional.of(course.before(step, log))
                : Optional.empty();
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
}
