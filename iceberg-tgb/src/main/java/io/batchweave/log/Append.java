package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import io.batchweave.store.Creation;
import java.nio.ByteBuffer;

/** One commit that is offered until it is in. */
final class Append {
    private final Reading reading;
    private final Commit commit;
    private final ByteBuffer body;
    private final Offers offers;

    Append(Reading reading, Commit commit, Offers offers) {
        this.reading = reading;
        this.commit = commit;
        this.body = CommitCodec.encode(commit);
        this.offers = offers;
    }

    /**
     * Offers it at later and later versions.
     *
     * @return the State of which all is sure, and in which it is
     */
    State run(boolean lookFirst) {
        try {
            if (lookFirst) {
                catchUpUntilIn();
            }
            do {
                offerUntilIn();
            } while (!isConfirmed());
            return reading.state();
        } catch (UnavailableException e) {
            throw offers.failure(e);
        }
    }

    /** Whether it took more than one offer. */
    boolean isContended() {
        return offers.made() > 1;
    }

    private void offerUntilIn() {
        for (Applied next = next(); !next.repeats(); next = next()) {
            Creation offer = reading.offerNext(next, body);
            offers.made(offer);
            if (!(offer instanceof Creation.Done)) {
                catchUpUntilIn();
            }
        }
    }

    /**
     * What the commit does next, when its next offer is due if it is not in. Others may have gone
     * on while we paused, and would refuse what we offer where the log ended before: again and
     * again, if they are many, while we pause for longer and longer.
     */
    private Applied next() {
        Applied next = lossless();
        if (next.repeats()) {
            return next;
        }
        boolean isFirst = offers.made() == 0;
        offers.awaitNext();
        if (isFirst) {
            return next;
        }
        catchUpUntilIn();
        return lossless();
    }

    /** TRIM-6. If what we read may be trimmed, what became of our offers may be trimmed too. */
    private boolean isConfirmed() {
        boolean isConfirmed = reading.confirm();
        if (!isConfirmed) {
            offers.loseSight();
        }
        return isConfirmed;
    }

    /**
     * Reads on, but stops where the commit is in: what comes later may fence it, and it was in all
     * the same. Where no offer can have been taken, it cannot be in what is leapt over.
     */
    private void catchUpUntilIn() {
        for (int run = 1; !attempt().repeats() && offers.timeRemains() && readNext(); run++) {
            if (!offers.areInDoubt()) {
                reading.leap(run);
            }
        }
    }

    /**
     * True too if the next one cannot be read and was no commit that counts: we went on from a
     * State.
     */
    private boolean readNext() {
        try {
            return reading.readNext();
        } catch (CorruptException | UnsupportedFeatureException e) {
            reading.demandReborn(e);
            offers.loseSight();
            return true;
        }
    }

    private Applied attempt() {
        return reading.reached().apply(commit);
    }

    /** What the commit does next; it fails where that is no effect, now and ever. */
    private Applied lossless() {
        Applied attempt = attempt();
        if (attempt.loss().isPresent()) {
            // Our State may be behind: what does not fit it may fit the log as it is by now.
            catchUpUntilIn();
            attempt = attempt();
        }
        if (attempt.loss().isPresent() && offers.timeRemains()) {
            if (isConfirmed()) {
                throw refusal(attempt.loss().get());
            }
            return lossless();
        }
        return attempt;
    }

    private BatchWeaveException refusal(Ignored loss) {
        if (offers.isOutOfSight()) {
            return offers.outOfSight(loss.why());
        }
        String text =
                offers.text()
                        + " at version "
                        + (reading.state().version() + 1)
                        + ": "
                        + loss.why();
        return loss.reason() == Reason.UNFIT
                ? new InvalidRequestException(text)
                : new FencedException(text);
    }
}
