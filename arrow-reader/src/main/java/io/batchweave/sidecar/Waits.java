package io.batchweave.sidecar;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** What one reader was given so far, and how long it waited for it. Thread-safe. */
final class Waits {
    private final LongAdder steps = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void add(Duration waited, long given) {
        steps.increment();
        bytes.add(given);
        nanos.add(waited.toNanos());
    }

    long steps() {
        return steps.sum();
    }

    /** Bytes of slices. */
    long bytes() {
        return bytes.sum();
    }

    /** From asking to being answered, all steps together. */
    Duration waited() {
        return Duration.ofNanos(nanos.sum());
    }
}
