package io.batchweave.log;

import io.batchweave.store.Timekeeper;
import java.time.Instant;

/**
 * The commits up to a version may be gone.
 *
 * @param at the store's time when all of them were there
 */
record Boundary(long version, Instant at) {
    /** More than any log has: its boundary says that the dataset was dropped (DROP-1). */
    private static final long TOMBSTONE = 999_999_999_999_999_999L;

    /** Behind all commits that there are and that anybody may still write. */
    static Boundary tombstone(Instant at) {
        return new Boundary(TOMBSTONE, at);
    }

    /** From when on what lies before it may go; where the store tells no age, that is at once. */
    Instant ripeAt(Timekeeper timekeeper) {
        return timekeeper == Timekeeper.CALLER ? Instant.MIN : at.plus(Surety.MINIMUM_AGE);
    }

    boolean isTombstone() {
        return version == TOMBSTONE;
    }
}
