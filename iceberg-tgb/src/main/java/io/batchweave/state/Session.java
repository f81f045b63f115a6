package io.batchweave.state;

import io.batchweave.model.StepRanges;
import java.time.Instant;

/**
 * One start or restart of a job: what all its ranks are given. Nothing that comes later changes it.
 *
 * @param id what the ranks call it
 * @param start where it starts
 * @param passed the steps that its ranks are not given: those that were not given up to its start,
 *     and those that were skipped when it started
 * @param version of the commit that started it; no other session of the job has it
 * @param at the time of the State after that commit
 */
public record Session(
        String job, String id, Position start, StepRanges passed, long version, Instant at) {
    /** The first step that is given. */
    public long firstStep() {
        return passed.nextOutside(start.nextStep());
    }
}
