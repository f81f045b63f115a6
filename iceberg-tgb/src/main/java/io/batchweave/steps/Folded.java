package io.batchweave.steps;

/**
 * What a fold did, and where the view is now.
 *
 * @param steps rows that this fold added to the steps
 * @param events rows that this fold added to the events
 * @param nextStep all steps before it are in the view
 * @param nextVersion events of all versions before it are in the view
 * @param merged data files that this fold merged into larger ones
 * @param tags checkpoints that the view has tags of
 * @param expired snapshots that this fold expired
 */
public record Folded(
        long steps,
        long events,
        long nextStep,
        long nextVersion,
        int merged,
        int tags,
        int expired) {}
