package io.batchweave.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A moment after which something is given up. Every retry has one. */
public record Deadline(InstantSource clock, Instant end) {

    /** Whether there is time left. */
    public boolean remains() {
        return clock.instant().isBefore(end);
    }

    /** The time left, zero once it has passed. */
    public Duration remaining() {
        Duration left = Duration.between(clock.instant(), end);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
