package io.batchweave.log;

import io.batchweave.state.State;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Looks into the log that the threads of a process take together: who asks while another one begins
 * to look is told what that one sees, so many readers that wait make the requests of one.
 */
final class Looks {
    private final Reading reading;
    private final World world;
    private final LogLimits limits;
    private final Object turn;

    /** When the latest look that came to its end began. */
    private Instant latest = Instant.MIN;

    /**
     * @param turn what is locked by who reads or appends
     */
    Looks(Reading reading, World world, LogLimits limits, Object turn) {
        this.reading = reading;
        this.world = world;
        this.limits = limits;
        this.turn = turn;
    }

    /** Applies all commits that are there. */
    State look() {
        return since(now(), () -> true);
    }

    /**
     * Waits until the log has grown; false if it has not by the deadline, or if the thread was
     * interrupted. Looks at least once, and not for longer than there is time: a log may grow as
     * fast as it is read.
     */
    boolean awaitNews(long afterVersion, Deadline deadline) {
        Instant asked = now();
        for (int looks = 0; since(asked, deadline::remains).version() <= afterVersion; looks++) {
            Duration poll = limits.poll(looks);
            Duration left = deadline.remaining();
            if (left.isZero() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            Duration pause = poll.compareTo(left) < 0 ? poll : left;
            world.pause().pause(pause);
            asked = now().minus(pause);
        }
        return true;
    }

    private State since(Instant asked, BooleanSupplier goesOn) {
        synchronized (turn) {
            if (!latest.isAfter(asked)) {
                Instant begun = now();
                reading.catchUp(goesOn);
                latest = begun;
            }
            return reading.state();
        }
    }

    private Instant now() {
        return world.clock().instant();
    }
}
