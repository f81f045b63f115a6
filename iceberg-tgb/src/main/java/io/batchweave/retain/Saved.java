package io.batchweave.retain;

import io.batchweave.model.Bytes;
import io.batchweave.model.Names;

/**
 * What one or all ranks of a job have saved, durably.
 *
 * @param session the session that they are in; empty: the job never started one
 * @param checkpoint what the job calls it
 * @param nextStep the first step that the model has not seen
 * @param receipt of what it was given, as its cursor has it
 */
public record Saved(
        String session, String checkpoint, long nextStep, Bytes receipt, Direction direction) {

    /** Whether a checkpoint may lie behind the last one. */
    public enum Direction {
        FORWARD,
        /** It may: the job went back on purpose. */
        ROLLBACK
    }

    public Saved {
        Names.checkPathPart("checkpoint", checkpoint);
    }
}
