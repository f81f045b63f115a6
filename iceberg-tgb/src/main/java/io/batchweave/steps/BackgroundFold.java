package io.batchweave.steps;

import io.batchweave.model.Names;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds inside of a producer's process, whenever that has made so many commits, on a thread beside
 * it.
 *
 * <pre>{@code
 * try (BackgroundFold folding =
 *                 BackgroundFold.every(100, () -> Fold.of(open(), catalog), folder, world);
 *         Producer producer = Producer.open(log, "p0", limits, committer, folding::committed)) {
 *     ...
 *     producer.flush();
 *     folding.finish(Duration.ofSeconds(20));
 * }
 * }</pre>
 *
 * <p>Publishing neither waits for a fold nor fails with one. One fold is under way at a time, and
 * the next one adds all that came meanwhile; so a catalog that is slow, away, or never answers
 * makes the view lag and does no more. What fails is tried again after as many commits as ever; the
 * first failure of several is told by a warning, all are counted. Safe for use by several threads,
 * and by several producers of one process together.
 */
public final class BackgroundFold implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundFold.class);

    private final int commits;
    private final Supplier<Fold> opener;
    private final Executor folder;
    private final World world;
    private final Consumer<String> teller;

    /** That of the thread that folds; empty: to be opened. */
    private Optional<Fold> fold = Optional.empty();

    private long commitsSince;
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
    private Optional<Folded> newest = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();
    private long failures;
    private Phase phase = Phase.PUBLISHING;

    private enum Phase {
        PUBLISHING,
        /** The last fold is waited for, and told of by who waits. */
        FINISHING,
        OVER
    }

    private BackgroundFold(
            int commits,
            Supplier<Fold> opener,
            Executor folder,
            World world,
            Consumer<String> teller) {
        if (commits < 1) {
            throw new IllegalArgumentException(
                    "Invalid number of commits to fold after: " + commits + "; use at least 1");
        }
        this.commits = commits;
        this.opener = opener;
        this.folder = folder;
        this.world = world;
        this.teller = teller;
    }

    /**
     * Begins to count commits.
     *
     * @param commits a fold follows so many of them; at least 1
     * @param opener opens a fold, on a log of its own; it is called by {@code folder}, for the
     *     first fold and after one that failed, and may fail
     * @param folder runs the folds, one at a time; a thread that does nothing else, and that keeps
     *     no process from ending: a catalog may keep it for ever
     */
    public static BackgroundFold every(
            int commits, Supplier<Fold> opener, Executor folder, World world) {
        return every(commits, opener, folder, world, text -> LOG.warn("{}", text));
    }

    /**
     * The same, told elsewhere.
     *
     * @param teller gets what people are to know, a sentence at a time, instead of the log
     */
    public static BackgroundFold every(
            int commits,
            Supplier<Fold> opener,
            Executor folder,
            World world,
            Consumer<String> teller) {
        return new BackgroundFold(commits, opener, folder, world, teller);
    }

    /** Counts a commit of this process. Returns at once and throws nothing. */
    public void committed() {
        if (isDue()) {
            begin();
        }
    }

    private synchronized boolean isDue() {
        commitsSince++;
        return phase == Phase.PUBLISHING && commitsSince >= commits && takesTurn();
    }

    /** Whether nobody folds; from now on somebody does. */
    private synchronized boolean takesTurn() {
        boolean isFree = underWay.isDone();
        if (isFree) {
            commitsSince = 0;
            underWay = new CompletableFuture<>();
        }
        return isFree;
    }

    private void begin() {
        try {
            folder.execute(this::work);
        } catch (RuntimeException | Error e) {
            failed(e);
            end();
        }
    }

    private void work() {
        do {
            foldOnce();
        } while (!isIdle());
    }

    private void foldOnce() {
        try {
            if (fold.isEmpty()) {
                fold = Optional.of(opener.get());
            }
            done(fold.get().run());
        } catch (Throwable e) {
            // An Error too: nobody else would tell, and publishing does not depend on it.
            fold = Optional.empty();
            failed(e);
        }
    }

    /** Whether there is nothing to fold now: then it is the next commit that begins again. */
    private synchronized boolean isIdle() {
        boolean isBehind = phase == Phase.PUBLISHING && commitsSince >= commits;
        commitsSince = isBehind ? 0 : commitsSince;
        if (!isBehind) {
            end();
        }
        return !isBehind;
    }

    private synchronized void end() {
        underWay.complete(null);
    }

    private synchronized void done(Folded folded) {
        newest = Optional.of(folded);
        failure = Optional.empty();
    }

    private void failed(Throwable e) {
        LOG.debug("A fold failed", e);
        if (isFirst(e)) {
            // Not while others, who may publish, wait for this object.
            teller.accept(
                    "The view lags, and publishing goes on; it is folded again after %d commits: %s"
                            .formatted(commits, text(e)));
        }
    }

    private synchronized boolean isFirst(Throwable e) {
        boolean isFirst = failure.isEmpty() && phase == Phase.PUBLISHING;
        failure = Optional.of(e);
        newest = Optional.empty();
        failures++;
        return isFirst;
    }

    /** How many folds have failed. */
    public synchronized long failures() {
        return failures;
    }

    /**
     * Folds a last time, when all is published, and is closed.
     *
     * @param most to wait for it; it may go on afterwards, until its executor ends it
     * @return what it did; empty if the view lags, which is told by a warning: no later fold of
     *     anybody misses what is left
     */
    public Optional<Folded> finish(Duration most) {
        Deadline deadline = world.deadline(most);
        begins(Phase.FINISHING);
        boolean isEnded = isEnded(deadline);
        if (isEnded && takesTurn()) {
            begin();
            isEnded = isEnded(deadline);
        }
        Optional<String> lag = lag(isEnded);
        lag.ifPresent(
                why ->
                        teller.accept(
                                "The view lags, and all is published: the last fold %s; fold once more to bring it up to date"
                                        .formatted(why)));
        return lag.isPresent() ? Optional.empty() : newest();
    }

    /**
     * Begins no fold any more, and tells of none. Does not wait for one that is under way, which
     * its executor may end: nothing is lost by that.
     */
    @Override
    public void close() {
        begins(Phase.OVER);
    }

    /** Waits for the fold that is under way. */
    private boolean isEnded(Deadline deadline) {
        CompletableFuture<Void> awaited = underWay();
        try {
            return world.pause().await(awaited, deadline.remaining());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return awaited.isDone();
        }
    }

    private synchronized CompletableFuture<Void> underWay() {
        return underWay;
    }

    private synchronized void begins(Phase next) {
        phase = next;
    }

    private synchronized Optional<Folded> newest() {
        return newest;
    }

    private synchronized Optional<String> lag(boolean isEnded) {
        phase = Phase.OVER;
        return isEnded
                ? failure.map(e -> "failed: " + text(e))
                : Optional.of("has not ended in time");
    }

    private static String text(Throwable e) {
        return Names.onOneLine(Optional.ofNullable(e.getMessage()).orElse(e.toString()));
    }
}
