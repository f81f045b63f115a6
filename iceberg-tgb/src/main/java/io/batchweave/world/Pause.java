package io.batchweave.world;

import java.time.Duration;

/** Lets time pass. */
@FunctionalInterface
public interface Pause {
    /** Returns after {@code duration}, or at once with the thread's interrupt flag set. */
    void pause(Duration duration);
}
