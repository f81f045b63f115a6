package io.batchweave.state;

/**
 * An epoch of a producer that another one replaced.
 *
 * @param endSequence the first sequence that it did not come to: what it uploaded under this one or
 *     a later one can never be in
 * @param lastStep the last step that it published
 */
public record FormerEpoch(long epoch, long endSequence, long lastStep) {}
