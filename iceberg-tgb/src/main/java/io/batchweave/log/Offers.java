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
    private boolean isOutOfSight;
    private boolean areInDoubt;
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

    /** "Cannot append to the log of train.x in s3://warehouse". */
    String text() {
        return "Cannot " + purpose + " in " + place;
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
                    text()
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
        areInDoubt |= !(outcome instanceof Creation.Refused);
        if (outcome instanceof Creation.Unknown unknown) {
            doubt = unknown.cause();
        }
    }

    /**
     * A State was loaded, which does not tell one by one what came before it. If a commit that was
     * offered is found to be of no effect from now on, it may have had it all the same (TRIM-2).
     */
    void loseSight() {
        isOutOfSight = made > 0;
    }

    /**
     * Whether an offer may be in, or come in yet. One that was refused is not: what lies at its
     * version is read before anything else.
     */
    boolean areInDoubt() {
        return areInDoubt;
    }

    boolean isOutOfSight() {
        return isOutOfSight;
    }

    /** What is to be said if a commit that is out of sight can no longer take effect. */
    CommitUnknownException outOfSight(String why) {
        return unknown("before the log was trimmed past it (now " + why + ")", doubt);
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
        return cause.as(text() + ": nothing was offered (" + cause.getMessage() + ")");
    }

    private CommitUnknownException unknown(String when, Throwable cause) {
        return new CommitUnknownException(
                text()
                        + ": the commit was not confirmed "
                        + when
                        + ", after "
                        + made
                        + " offers; it may still arrive, so do the same again and delete nothing",
                cause);
    }
}
