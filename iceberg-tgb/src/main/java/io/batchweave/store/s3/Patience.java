package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.s3.Problem.Kind;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Makes requests again, after a random pause that grows, until one is answered or time is up
 * (STORE-4).
 */
final class Patience {
    private static final Duration BACK_OFF_FIRST = Duration.ofMillis(50);
    private static final Duration BACK_OFF_MOST = Duration.ofSeconds(5);

    /** A server that never answered is more likely a wrong address than one that is restarting. */
    private static final Duration WITH_STRANGERS = Duration.ofSeconds(10);

    private final World world;
    private final Duration most;
    private volatile boolean known;

    Patience(World world, Duration most) {
        this.world = world;
        this.most = most;
    }

    /** One request, and what is done with its answer. */
    @FunctionalInterface
    interface Request<T> {
        /** Throws {@link IOException} where the answer is cut short or is no answer. */
        T make() throws IOException;
    }

    /**
     * Makes a request that does no harm if it is made twice.
     *
     * @param purpose as in "read log/0 in s3://bucket/"
     * @throws UnavailableException if it is refused, or not answered in time
     */
    <T> T with(String purpose, Request<T> request) {
        Deadline start = world.deadline(most);
        for (int tries = 1; ; tries++) {
            try {
                T answer = request.make();
                known = true;
                return answer;
            } catch (SdkException | IOException e) {
                Problem problem = Problem.of(e);
                if (!isWorthAnother(problem, start)) {
                    throw failure(purpose, problem, tries, e);
                }
                pauseBefore(tries);
                if (Thread.currentThread().isInterrupted()) {
                    throw failure(purpose, problem, tries, e);
                }
            } catch (IllegalStateException | RejectedExecutionException e) {
                throw closed(purpose, e);
            }
        }
    }

    /** The moment until which something may be tried again that starts now. */
    Deadline deadline() {
        return world.deadline(most);
    }

    /** Lets some time pass after so many tries. */
    void pauseBefore(int tries) {
        Duration longer = BACK_OFF_FIRST.multipliedBy(1L << Math.min(tries, 20));
        world.pauseUpTo(longer.compareTo(BACK_OFF_MOST) < 0 ? longer : BACK_OFF_MOST);
    }

    private boolean isWorthAnother(Problem problem, Deadline deadline) {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (problem.kind() == Kind.UNREACHABLE && !known) {
            Duration passed = most.minus(deadline.remaining());
            return passed.compareTo(WITH_STRANGERS) < 0 && deadline.remains();
        }
        known |= problem.kind() != Kind.UNREACHABLE;
        boolean passing = problem.kind() == Kind.PASSING || problem.kind() == Kind.UNREACHABLE;
        return passing && deadline.remains();
    }

    private static UnavailableException failure(
            String purpose, Problem problem, int tries, Exception cause) {
        String often = tries == 1 ? "" : " (asked %d times)".formatted(tries);
        String why =
                Thread.currentThread().isInterrupted()
                        ? "the thread was interrupted"
                        : problem.why();
        return new UnavailableException("Cannot %s: %s%s".formatted(purpose, why, often), cause);
    }

    /** What to make of what a client throws once it is closed. */
    static InvalidRequestException closed(String purpose, RuntimeException cause) {
        return new InvalidRequestException(
                "Cannot %s: the store was closed; open it again".formatted(purpose), cause);
    }
}
