package io.batchweave.state;

/**
 * The job that is least far.
 *
 * @param position where it is
 * @param nextStep the first step from there on that it will be given: what its session passes over
 *     holds nobody up, published or not
 */
public record Slowest(String job, Position position, long nextStep) {}
