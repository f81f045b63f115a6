package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
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

    /** What never answered as such a server is more likely a wrong address than restarting. */
    private static final Duration WITH_STRANGERS = Duration.ofSeconds(10);

    private final World world;
    private final Duration most;
    private volatile boolean known;
    private volatile boolean over;

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
     * @throws NoAccessException if it is refused until somebody mends something, or if what answers
     *     was never known as a server of this kind and is none
     */
    <T> T with(String purpose, Request<T> request) {
        Deadline start = world.deadline(most);
        for (int tries = 1; ; tries++) {
            requireOpen(purpose);
            try {
                T answer = request.make();
                heard();
                return answer;
            } catch (SdkException | IOException e) {
                Problem problem = Problem.of(e);
                heard(problem);
                if (!isWorthAnother(problem, start)) {
                    throw failure(purpose, problem, tries, e);
                }
                pauseBefore(tries);
                if (Thread.currentThread().isInterrupted()) {
                    throw failure(purpose, problem, tries, e);
                }
            } catch (IllegalStateException | RejectedExecutionException e) {
                throw afterEnd(purpose, e);
            }
        }
    }

    /** From now on nothing is asked any more: the store is being closed. */
    void end() {
        over = true;
    }

    /**
     * Fails once the store is closed.
     *
     * @throws InvalidRequestException if it is
     */
    void requireOpen(String purpose) {
        if (over) {
            throw new InvalidRequestException(closed(purpose));
        }
    }

    /**
     * What to make of what a client throws that is closed: it sends nothing any more. A client that
     * is not has failed in a way that nobody foresaw.
     */
    RuntimeException afterEnd(String purpose, RuntimeException thrown) {
        return over ? new InvalidRequestException(closed(purpose), thrown) : thrown;
    }

    private static String closed(String purpose) {
        return "Cannot %s: the store was closed; open it again".formatted(purpose);
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

    /** Takes down that the server answered, so that it is there and worth waiting for. */
    void heard() {
        known = true;
    }

    /** The same, if it is the server's who was heard. */
    void heard(Problem problem) {
        known |= problem.isHeard();
    }

    private boolean isWorthAnother(Problem problem, Deadline deadline) {
        Duration passed = most.minus(deadline.remaining());
        return problem.isPassing()
                && deadline.remains()
                && (known || passed.compareTo(WITH_STRANGERS) < 0)
                && !over
                && !Thread.currentThread().isInterrupted();
    }

    private UnavailableException failure(
            String purpose, Problem problem, int tries, Exception cause) {
        if (Thread.currentThread().isInterrupted()) {
            return new UnavailableException(
                    "Cannot %s: the thread was interrupted".formatted(purpose), cause);
        }
        String often = tries == 1 ? "" : " (asked %d times)".formatted(tries);
        String text = "Cannot %s: %s%s".formatted(purpose, problem.why(), often);
        boolean isOurs =
                problem.kind() == Kind.NO_ACCESS || (problem.kind() == Kind.STRANGE && !known);
        return isOurs ? new NoAccessException(text, cause) : new UnavailableException(text, cause);
    }
}
