package io.batchweave.e2e;

import java.util.stream.IntStream;

/**
 * How often processes are killed at the same moment, or started together: often in the profile
 * {@code endurance}.
 */
final class Kills {
    private static final int TIMES = Integer.getInteger("kills", 1);

    private Kills() {}

    /** So many times in a short run, more in a long one. */
    static IntStream times(int least) {
        return IntStream.range(0, Math.max(least, TIMES));
    }
}
