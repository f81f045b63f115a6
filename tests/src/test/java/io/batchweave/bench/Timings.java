package io.batchweave.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Times two ways of doing the same work in turn, so that a machine whose speed drifts slows both
 * alike.
 */
public final class Timings {
    /** Rounds that are run and not counted. */
    public static final int WARM_UPS = 1;

    /** Work that may fail. */
    @FunctionalInterface
    public interface Work {
        void run() throws IOException;
    }

    private final String limitName;
    private final String oursName;
    private final List<Long> limitNanos = new ArrayList<>();
    private final List<Long> oursNanos = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    public Timings(String limitName, String oursName) {
        this.limitName = limitName;
        this.oursName = oursName;
    }

    public void time(Work limit, Work ours) throws IOException {
        if (ratios.isEmpty()) {
            for (int i = 0; i < WARM_UPS; i++) {
                limit.run();
                ours.run();
            }
        }
        long start = System.nanoTime();
        limit.run();
        long between = System.nanoTime();
        ours.run();
        long end = System.nanoTime();
        limitNanos.add(between - start);
        oursNanos.add(end - between);
        ratios.add((double) (between - start) / (end - between));
    }

    /** Prints medians of both and of the ratio of their speeds, pair by pair. */
    void print(String what, long bytes) {
        System.out.printf(
                "%s: %s %.0f MB/s, %s %.0f MB/s, ratio %.2f (%.2f to %.2f) over %d pairs%n",
                what,
                limitName,
                bytes * 1e3 / median(limitNanos),
                oursName,
                bytes * 1e3 / median(oursNanos),
                median(ratios),
                Collections.min(ratios),
                Collections.max(ratios),
                ratios.size());
    }

    /** The same of things that are counted. */
    public void printPerSecond(String what, int count) {
        System.out.printf(
                "%s: %s %.0f/s, %s %.0f/s, ratio %.2f (%.2f to %.2f) over %d pairs%n",
                what,
                limitName,
                count * 1e9 / median(limitNanos),
                oursName,
                count * 1e9 / median(oursNanos),
                median(ratios),
                Collections.min(ratios),
                Collections.max(ratios),
                ratios.size());
    }

    private static <N extends Number & Comparable<N>> double median(List<N> values) {
        return values.stream().sorted().toList().get(values.size() / 2).doubleValue();
    }
}
