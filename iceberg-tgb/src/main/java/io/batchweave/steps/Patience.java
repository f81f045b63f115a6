package io.batchweave.steps;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Names;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one turn after the other until one comes out, or time is up. A turn begins with a look at
 * the table and does what is left to do. So there is no branch for a commit that failed, one that
 * was lost to somebody else, and one of which nobody knows: whatever a catalog throws, the next
 * turn looks.
 */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final Duration PAUSE_FIRST = Duration.ofMillis(20);
    private static final int DOUBLINGS_MAX = 10;

    /** A file that is missing this often is missing: it was not just replaced. */
    private static final int MISSED_MAX = 3;

    private final String task;
    private final World world;
    private final FoldLimits limits;

    /**
     * @param task what cannot be done if it comes to nothing
     */
    Patience(String task, World world, FoldLimits limits) {
        this.task = task;
        this.world = world;
        this.limits = limits;
    }

    /**
     * Takes turns.
     *
     * @throws NoSuchTableException if the table was dropped, or is another one by now
     * @throws UnavailableException if time is up, or the thread was interrupted
     * @throws NoAccessException if the catalog refuses us
     * @throws InvalidRequestException if files of the table are missing
     */
    <T> T until(Supplier<T> turn) {
        Deadline deadline = world.deadline(limits.patience());
        int missed = 0;
        for (int failures = 0; ; failures++) {
            try {
                return turn.get();
            } catch (NoAccessException | NoSuchTableException e) {
                throw e;
            } catch (ForbiddenException | NotAuthorizedException e) {
                throw new NoAccessException(
                        text(e) + "; mend the credentials, or what they may do", e);
            } catch (RuntimeException e) {
                missed += isMissing(e) ? 1 : 0;
                giveUpIfHopeless(e, missed, deadline);
                LOG.debug("A turn did not come out: {}", task, e);
                pause(failures, deadline);
            }
        }
    }

    private void giveUpIfHopeless(RuntimeException e, int missed, Deadline deadline) {
        if (e instanceof BatchWeaveException known
                && !(known instanceof UnavailableException)
                && !(known instanceof CommitUnknownException)) {
            throw known;
        }
        if (missed >= MISSED_MAX) {
            throw new InvalidRequestException(
                    text(e)
                            + "; a file of the view is missing. Nothing of the dataset is lost:"
                            + " make the view anew by fold --rebuild, or drop its tables and fold",
                    e);
        }
        if (!deadline.remains() || Thread.currentThread().isInterrupted()) {
            throw new UnavailableException(
                    text(e)
                            + "; nothing of the dataset is lost, so run it again later; if it"
                            + " stays so, make the view anew by fold --rebuild",
                    e);
        }
    }

    private void pause(int failures, Deadline deadline) {
        Duration most = PAUSE_FIRST.multipliedBy(1L << Math.min(failures, DOUBLINGS_MAX));
        Duration left = deadline.remaining();
        Duration bounded = most.compareTo(limits.pauseMost()) < 0 ? most : limits.pauseMost();
        if (bounded.compareTo(left) < 0) {
            world.pauseUpTo(bounded);
        } else {
            world.pause().pause(left);
        }
    }

    private static boolean isMissing(Throwable e) {
        return e instanceof NotFoundException
                || (e.getCause() != null && e.getCause() != e && isMissing(e.getCause()));
    }

    private String text(RuntimeException e) {
        return "Cannot %s: %s".formatted(task, Names.onOneLine(String.valueOf(e.getMessage())));
    }
}
