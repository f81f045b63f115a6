package io.batchweave.read;

import io.batchweave.errors.ExpiredException;
import io.batchweave.log.Log;
import java.util.Optional;

/** Steps whose payload is swept (READ-6). */
final class Expiry {
    private Expiry() {}

    /**
     * Why a step cannot be read, if it is below the low step as far as we know. Who finds its
     * payload missing looks into the log and asks again.
     */
    static Optional<ExpiredException> of(long step, Log log) {
        // What is told rests on a look, and names what is kept by now.
        return step < log.state().lowStep()
                ? Optional.of(expired(step, log.catchUp().lowStep(), log))
                : Optional.empty();
    }

    private static ExpiredException expired(long step, long kept, Log log) {
        return new ExpiredException(
                "Cannot read step "
                        + step
                        + " of "
                        + log.layout().dataset()
                        + ": its payload is swept; the first step that is kept is "
                        + kept
                        + "; start there, or at a checkpoint that a job keeps",
                kept);
    }
}
