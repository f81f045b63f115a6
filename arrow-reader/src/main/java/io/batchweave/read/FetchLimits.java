package io.batchweave.read;

import java.time.Duration;

/**
 * How long a step that is needed is waited for while it is fetched, and when it is fetched once
 * more beside that, into memory of its own: a hedge. The first that comes is delivered.
 *
 * @param most the longest wait
 * @param hedgeLeast the shortest wait before a hedge
 * @param hedgeMedians a hedge is not before so many times the median of the latest fetches either
 * @param hedgeShare of all fetches of a reader that may be hedges, 0 for none, 1 for any; beside it
 *     there is one at a time, so that at most one step more is in memory
 */
public record FetchLimits(
        Duration most, Duration hedgeLeast, double hedgeMedians, double hedgeShare) {
    /** A hedge after 200 ms or three medians, and for one of twenty fetches at most. */
    public static final FetchLimits DEFAULT =
            new FetchLimits(Duration.ofMinutes(10), Duration.ofMillis(200), 3, 0.05);

    public FetchLimits {
        if (most.isNegative()
                || hedgeLeast.isNegative()
                || !(hedgeMedians >= 0)
                || !(hedgeShare >= 0 && hedgeShare <= 1)) {
            throw new IllegalArgumentException(
                    "Invalid limits of fetches: %s at most, hedges after %s and %s medians, for %s of them; use 0 or more, and a share up to 1"
                            .formatted(most, hedgeLeast, hedgeMedians, hedgeShare));
        }
    }

    /** The same limits, and nothing is fetched twice. */
    public FetchLimits withoutHedges() {
        return new FetchLimits(most, hedgeLeast, hedgeMedians, 0);
    }
}
