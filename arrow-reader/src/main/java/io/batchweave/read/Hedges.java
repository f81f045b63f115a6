package io.batchweave.read;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * When one reader fetches a step once more, as far as its fetches so far tell. Thread-safe.
 *
 * <p>The median says what is usual, however slow a few are. A delay by a high percentile was
 * considered: of the few fetches that are remembered it would be one of the slow ones themselves.
 */
final class Hedges {
    /** Fetches that the median is taken of. */
    private static final int LATEST = 64;

    /** What fewer of them tell is chance. */
    private static final int LEAST = 8;

    private final FetchLimits limits;
    private final InstantSource clock;
    private final long[] latestNanos = new long[LATEST];
    private long fetches;
    private long hedges;
    private CompletableFuture<Void> lastEnded = CompletableFuture.completedFuture(null);

    Hedges(FetchLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** The longest wait. */
    Duration most() {
        return limits.most();
    }

    /** Fetches, and remembers how long that took if it came out well. */
    <B> B timed(Supplier<B> fetch) {
        Instant start = clock.instant();
        B fetched = fetch.get();
        took(Duration.between(start, clock.instant()));
        return fetched;
    }

    private synchronized void took(Duration duration) {
        latestNanos[(int) (fetches % LATEST)] = Math.max(0, duration.toNanos());
        fetches++;
    }

    /** How long to wait before a hedge; empty if there may be none. */
    synchronized Optional<Duration> delay() {
        if (fetches < LEAST || !lastEnded.isDone() || hedges + 1 > fetches * limits.hedgeShare()) {
            return Optional.empty();
        }
        Duration usual = Duration.ofNanos((long) (medianNanos() * limits.hedgeMedians()));
        Duration delay = usual.compareTo(limits.hedgeLeast()) > 0 ? usual : limits.hedgeLeast();
        return Optional.of(delay).filter(shorter -> shorter.compareTo(limits.most()) < 0);
    }

    private long medianNanos() {
        long[] sorted = Arrays.copyOf(latestNanos, (int) Math.min(fetches, LATEST));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /**
     * Counts a hedge.
     *
     * @param ended done when nobody fetches its step any more; until then there is no other one
     */
    synchronized void started(CompletableFuture<Void> ended) {
        hedges++;
        lastEnded = ended;
    }

    /** Done when no hedge, and nothing that was hedged, is under way. */
    synchronized CompletableFuture<Void> lastEnded() {
        return lastEnded;
    }
}
