package io.batchweave.fuzz;

import io.batchweave.model.Claim;
import io.batchweave.state.JobState;
import io.batchweave.state.Kept;
import io.batchweave.state.ProducerState;
import io.batchweave.state.Retention;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;

/** What the format promises of payload, whatever a log holds. */
final class KeptPayload {
    private KeptPayload() {}

    /** After one more commit. */
    static void check(State before, State after) {
        Kept kept = after.kept();
        Told.that(kept.lowStep() >= before.lowStep(), "the low step falls: " + kept);
        Told.that(kept.sweptStep() >= before.kept().sweptStep(), "the swept step falls: " + kept);
        Told.that(
                kept.sweptStep() <= kept.lowStep() && kept.lowStep() <= after.nextStep(),
                "there can be no such low step: " + kept);
        for (JobState job : after.jobs().values()) {
            Told.that(
                    !job.isAttached() || job.pin().nextStep() >= kept.lowStep(),
                    "a pinned step is swept: " + job + ", " + kept);
        }
        checkNothingNeededIsOrphaned(after);
    }

    private static void checkNothingNeededIsOrphaned(State state) {
        for (StepRecord step : state.steps().recent()) {
            Told.that(
                    step.step() < state.lowStep() || !Retention.isOrphaned(step.claim(), state),
                    "payload of a step that is kept is orphaned: " + step);
        }
        long former = 0;
        for (String name : state.producers().keySet()) {
            ProducerState producer = state.producers().get(name);
            Claim next = new Claim(name, producer.epoch(), producer.nextSequence());
            boolean isOver = producer.finished() || state.phase() == State.Phase.SEALED;
            Told.that(
                    Retention.isOrphaned(next, state) == isOver,
                    "what may come in is orphaned, or what may not is none: " + next);
            former += producer.former().size();
        }
        Told.that(
                former <= state.nextStep() - state.lowStep(),
                "more former epochs than steps that are kept: " + state.producers());
    }
}
