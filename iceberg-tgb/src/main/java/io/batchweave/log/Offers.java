package io.batchweave.log;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;

/**
 * The offers of one commit: how many were made, when the next one is due, and what is to be said if
 * none is confirmed.
 *
 * <p>Once an offer was made it may arrive at any time, so from then on no failure is a plain one:
 * whatever keeps us from looking leaves it unknown whether the commit is in.
 */
final class Offers {
    private final World world;
    private final LogLimits limits;
    private final Deadline deadline;
    private final String purpose;
    private final String place;
    private int made;
    private Throwable doubt;

    /**
     * @param purpose what the commit is for, as in "Cannot append to the log of train.x"
     * @param place the store, for messages
     */
    Offers(World world, LogLimits limits, String purpose, String place) {
        this.world = world;
        this.limits = limits;
        this.deadline = world.deadline(limits.append());
        this.purpose = purpose;
        this.place = place;
    }

    boolean timeRemains() {
        return deadline.remains();
    }

    /**
     * Returns when the next offer is due: the first at once, later ones after a random time.
     *
     * @throws UnavailableException if time is up and nothing was offered
     * @throws CommitUnknownException if time is up, or the thread was interrupted between offers
     */
    void awaitNext() {
        if (made == 0 && !deadline.remains()) {
            throw new UnavailableException(
                    "Cannot "
                            + purpose
                            + " in "
                            + place
                            + ": reading what is there took more than "
                            + limits.append().toSeconds()
                            + " s; nothing was offered, so try again");
        }
        if (!deadline.remains()) {
            throw unknown("within " + limits.append().toSeconds() + " s", doubt);
        }
        if (made > 0) {
            world.pauseUpTo(limits.backOff(made - 1));
            if (Thread.currentThread().isInterrupted()) {
                throw unknown("before the thread was interrupted", doubt);
            }
        }
    }

    /** Takes down that an offer was made, and how it came out. */
    void made(Creation outcome) {
        made++;
        if (outcome instanceof Creation.Unknown unknown) {
            doubt = unknown.cause();
        }
    }

    /** How many offers were made. */
    int made() {
        return made;
    }

    /** What a failure of the store means: before the first offer it is no more than that. */
    BatchWeaveException failure(UnavailableException cause) {
        return made == 0 ? nothingOffered(cause) : unknown("because the store failed", cause);
    }

    private UnavailableException nothingOffered(UnavailableException cause) {
        return cause.as(
                "Cannot "
                        + purpose
                        + " in "
                        + place
                        + ": nothing was offered ("
                        + cause.getMessage()
                        + ")");
    }

    private CommitUnknownException unknown(String when, Throwable cause) {
        return new CommitUnknownException(
                "Cannot "
                        + purpose
                        + " in "
                        + place
                        + ": the commit was not confirmed "
                        + when
                        + ", after "
                        + made
                        + " offers; it may still arrive, so do the same again and delete nothing",
                cause);
    }
}
