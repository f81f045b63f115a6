package io.batchweave.log;

import java.time.Duration;

/**
 * How long the log keeps trying, and how much it lets lie.
 *
 * @param append until an append that nobody confirms is given up
 * @param backOffFirst most time before the second offer of a commit; doubles with each further one
 * @param backOffMost most time between two offers
 * @param pollFirst time between two looks for news, at first; doubles while nothing comes
 * @param pollMost most time between two looks for news
 * @param trim so many commits go at once; a log is not trimmed for fewer
 */
public record LogLimits(
        Duration append,
        Duration backOffFirst,
        Duration backOffMost,
        Duration pollFirst,
        Duration pollMost,
        int trim) {
    public static final LogLimits DEFAULT =
            new LogLimits(
                    Duration.ofSeconds(60),
                    Duration.ofMillis(10),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(2),
                    Duration.ofMillis(100),
                    1_024);

    /** The same, and so many commits go at once. */
    public LogLimits trimming(int commits) {
        return new LogLimits(append, backOffFirst, backOffMost, pollFirst, pollMost, commits);
    }

    Duration backOff(int offersBefore) {
        return doubled(backOffFirst, offersBefore, backOffMost);
    }

    Duration poll(int looksBefore) {
        return doubled(pollFirst, looksBefore, pollMost);
    }

    private static Duration doubled(Duration first, int times, Duration most) {
        Duration longer = first.multipliedBy(1L << Math.min(times, 20));
        return longer.compareTo(most) < 0 ? longer : most;
    }
}
