package io.batchweave.log;

import io.batchweave.store.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Up to where it is sure that what was read of the log is what was written first, although commits
 * may be trimmed and created again (TRIM-4).
 *
 * <p>Whoever lists no boundary above what it was sure of, after it has read and created what lies
 * above, is sure of that too. It need not even ask while the store's clock says that nothing above
 * can be old enough to be trimmed: so in the course of things a publish costs no request for this.
 */
final class Surety {
    /** Only commits that are older may be trimmed, where the store tells their age. */
    static final Duration MINIMUM_AGE = Duration.ofHours(1);

    /**
     * Twice what the clocks of a store's servers may differ by: it can count for who passes over
     * CHECK, and against who trims.
     */
    static final Duration MARGIN = Duration.ofMinutes(20);

    private final Boundaries boundaries;
    private final Timekeeper timekeeper;

    private long sure = -1;

    /** At this time of the store nothing above what is sure was there yet. */
    private Optional<Instant> absentAt = Optional.empty();

    /** The same, if what was read and created since is confirmed. */
    private Optional<Instant> tentativelyAbsentAt = Optional.empty();

    Surety(Boundaries boundaries, Timekeeper timekeeper) {
        this.boundaries = boundaries;
        this.timekeeper = timekeeper;
    }

    /** A State was loaded: somebody was sure of it. */
    void loaded(long version) {
        sure = version;
        absentAt = Optional.empty();
        tentativelyAbsentAt = Optional.empty();
    }

    /** The version that is sure; -1: none. */
    long version() {
        return sure;
    }

    /**
     * The version after the one that was reached was found absent, or that one was created, by a
     * request that was sent after the store had told this time.
     */
    void reachedEnd(Optional<Instant> before) {
        tentativelyAbsentAt = before.or(() -> tentativelyAbsentAt);
    }

    /**
     * Makes sure of all up to this version: CHECK (TRIM-5), or the store's clock (TRIM-7).
     *
     * @param now the store's time in the latest answer; empty: it must not be gone by
     * @return false if it may have been trimmed; then a State must be loaded
     */
    boolean confirm(long reached, Optional<Instant> now) {
        if (!isTooYoungToBeTrimmed(now) && !boundaries.after(sure).isEmpty()) {
            return false;
        }
        sure = reached;
        absentAt = tentativelyAbsentAt.or(() -> absentAt);
        tentativelyAbsentAt = Optional.empty();
        return true;
    }

    private boolean isTooYoungToBeTrimmed(Optional<Instant> now) {
        return timekeeper == Timekeeper.STORE
                && absentAt.isPresent()
                && now.isPresent()
                && now.get().isBefore(absentAt.get().plus(MINIMUM_AGE).minus(MARGIN));
    }
}
