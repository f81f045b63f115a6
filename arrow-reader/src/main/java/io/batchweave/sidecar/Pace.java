package io.batchweave.sidecar;

import io.batchweave.read.Runway;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * How far ahead of one reader its steps are fetched: so many as cover the time that a fetch takes,
 * twice, at the pace at which the trainer asks; within its share of the memory. Thread-safe.
 *
 * <p>A fixed depth was rejected: too few starve a fast trainer of a far store, too many take memory
 * that other ranks could use.
 */
final class Pace implements Runway {
    private static final int STEPS_LEAST = 2;
    private static final int STEPS_MOST = 64;

    /** How much the latest observation counts. */
    private static final double WEIGHT = 0.2;

    private final LongSupplier shareBytes;
    private double fetchNanos;
    private double stepNanos;
    private Instant delivered;
    private long heldBytes;

    /**
     * @param shareBytes of the memory that this reader may take at present, what the trainer holds
     *     included
     */
    Pace(LongSupplier shareBytes) {
        this.shareBytes = shareBytes;
    }

    /** A step took so long to fetch. */
    synchronized void fetched(Duration took) {
        fetchNanos = averaged(fetchNanos, took);
    }

    /** The trainer asks for its next step. */
    synchronized void asked(Instant at) {
        if (delivered != null) {
            stepNanos = averaged(stepNanos, Duration.between(delivered, at));
        }
    }

    /** The trainer was given a step. */
    synchronized void delivered(Instant at, long bytes) {
        delivered = at;
        heldBytes = bytes;
    }

    private static double averaged(double before, Duration latest) {
        double nanos = Math.max(1, latest.toNanos());
        return before == 0 ? nanos : before + WEIGHT * (nanos - before);
    }

    /** What it takes to fetch a step, averaged; 0 before the first. */
    synchronized double fetchNanos() {
        return fetchNanos;
    }

    /** The steps to have ahead. */
    synchronized int steps() {
        if (fetchNanos == 0 || stepNanos == 0) {
            return STEPS_LEAST;
        }
        double needed = Math.ceil(2 * fetchNanos / stepNanos);
        return (int) Math.max(STEPS_LEAST, Math.min(needed, STEPS_MOST));
    }

    @Override
    public synchronized boolean hasRoom(int steps, long bytes, long more) {
        return steps < steps() && heldBytes + bytes + more <= shareBytes.getAsLong();
    }
}
