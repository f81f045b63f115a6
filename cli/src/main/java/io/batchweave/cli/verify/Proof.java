package io.batchweave.cli.verify;

import io.batchweave.model.Bytes;
import io.batchweave.model.Provenance;
import io.batchweave.model.StepRanges;
import io.batchweave.state.StepRecord;
import java.util.List;

/**
 * What the model of a checkpoint was trained on, and whether the log says so throughout.
 *
 * @param session the session that made it; empty: the job had none
 * @param attachedAt the step at which the job attached
 * @param nextStep the first step that the model has not seen
 * @param passed the steps below it that it has not seen either
 * @param said the receipt that the job gave with it
 * @param found the receipt of what the log gives
 */
public record Proof(
        String job,
        String session,
        String checkpoint,
        long attachedAt,
        long nextStep,
        StepRanges passed,
        List<Passed> reasons,
        Bytes said,
        Bytes found) {
    public Proof {
        reasons = List.copyOf(reasons);
    }

    /** Whether the job was given what the log gives. */
    public boolean holds() {
        return said.equals(found);
    }

    /** Steps that were skipped, and why. */
    public record Passed(StepRanges steps, String reason) {}

    /** Whether a step's payload is what was published. */
    public enum Payload {
        /** It is. */
        SAME,
        /** It is not. */
        CHANGED,
        /** It is not there, and need not be. */
        SWEPT,
        /** It is not there. */
        GONE,
        /** Nobody looked. */
        UNREAD
    }

    /**
     * One step that the model was trained on.
     *
     * @param why what is wrong with its payload; empty if nothing is
     */
    public record Step(StepRecord record, Provenance provenance, Payload payload, String why) {}
}
