package io.batchweave.read;

/** How far ahead of its delivery a step may be fetched. */
@FunctionalInterface
public interface Runway {
    /**
     * Whether one more may be fetched. The first one always is, however large.
     *
     * @param steps that are fetched or being fetched and not yet delivered, 1 or more
     * @param bytes what they take
     * @param more what the next one takes
     */
    boolean hasRoom(int steps, long bytes, long more);
}
