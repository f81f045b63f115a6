package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.StepRanges;
import java.time.Instant;

/**
 * Where a job can start: at one of its checkpoints, or where it attached.
 *
 * @param checkpoint what the job calls it; empty: it is where the job attached
 * @param nextStep the first step that is not behind it
 * @param receipt of all that was given up to it; empty where the job attached
 * @param passed the steps below {@code nextStep} that were not given
 * @param at the time of the State that it came with
 */
public record Position(
        String checkpoint, long nextStep, Bytes receipt, StepRanges passed, Instant at) {
    @Override
    public String toString() {
        return checkpoint.isEmpty()
                ? "the attachment at step " + nextStep
                : "checkpoint " + checkpoint + " at step " + nextStep;
    }
}
