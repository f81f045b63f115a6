package io.batchweave.state;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * A place that a job may start at, so that every step from there on may be needed.
 *
 * @param position the lowest such place of the job
 */
public record Pin(String job, Position position) {

    /**
     * The lowest pinned step over all attached jobs, and whose it is; empty if none is attached.
     */
    static Optional<Pin> lowest(Map<String, JobState> jobs) {
        return jobs.entrySet().stream()
                .filter(job -> job.getValue().isAttached())
                .map(job -> new Pin(job.getKey(), job.getValue().pin()))
                .min(Comparator.comparingLong(Pin::step));
    }

    public long step() {
        return position.nextStep();
    }

    /** Since when that step is pinned. */
    public Instant since() {
        return position.at();
    }
}
