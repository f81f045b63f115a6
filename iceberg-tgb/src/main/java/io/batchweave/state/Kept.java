package io.batchweave.state;

import io.batchweave.model.Entry.Sweep;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import java.util.Optional;

/**
 * Of which steps payload is there.
 *
 * <p>Between the two steps somebody is deleting, or was killed while deleting. So whoever sweeps
 * next begins at the swept step, and finds all that was left without listing what lives.
 *
 * @param lowStep the first step whose payload is kept; that of steps below it may be deleted
 * @param sweptStep payload of all steps below it is gone
 */
public record Kept(long lowStep, long sweptStep) {
    /** That of all steps. */
    public static final Kept ALL = new Kept(0, 0);

    /** After a sweep that counts. */
    Kept after(Sweep sweep) {
        return new Kept(sweep.lowStep(), Math.max(sweptStep, sweep.sweptStep()));
    }

    /**
     * What speaks against a sweep (APPLY-18). It is judged here, and not only by who computed it:
     * whichever of a sweep and a pin comes first in the log, no pinned step is below the low step.
     *
     * @param state what the sweep would change
     */
    static Optional<Ignored> judge(Sweep sweep, State state) {
        Kept kept = state.kept();
        boolean raises = sweep.lowStep() > kept.lowStep();
        boolean repeats = sweep.lowStep() == kept.lowStep();
        if (!raises && !(repeats && sweep.sweptStep() > kept.sweptStep())) {
            return objection(
                    Reason.ALREADY_IN,
                    "payload is kept from step %d on, and all below step %d is swept"
                            .formatted(kept.lowStep(), kept.sweptStep()));
        }
        if (sweep.sweptStep() > kept.lowStep()) {
            return objection(
                    Reason.UNFIT,
                    "nobody can have swept up to step %d: payload is kept from step %d on"
                            .formatted(sweep.sweptStep(), kept.lowStep()));
        }
        long needed = Retention.keptFrom(state, state.time());
        return raises && sweep.lowStep() > needed
                ? objection(
                        Reason.UNFIT, "step " + needed + " must be kept" + forWhom(needed, state))
                : Optional.empty();
    }

    private static String forWhom(long step, State state) {
        return Retention.lowestPin(state)
                .filter(pin -> pin.step() == step)
                .map(pin -> ": job " + pin.job() + " can start at " + pin.position())
                .orElse("");
    }

    private static Optional<Ignored> objection(Reason reason, String why) {
        return Optional.of(new Ignored(reason, why));
    }

    /**
     * Makes sure that this is what can be kept of so many steps.
     *
     * @throws IllegalArgumentException if it is not
     */
    void check(long steps) {
        if (sweptStep < 0 || sweptStep > lowStep || lowStep > steps) {
            throw new IllegalArgumentException(
                    "of %d steps it keeps those from %d on, and has swept those below %d"
                            .formatted(steps, lowStep, sweptStep));
        }
    }
}
