package io.batchweave.steps;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.state.State;
import io.batchweave.world.Deadline;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds the log of a dataset into two Iceberg tables, {@code <ns>.<dataset>_steps} and {@code
 * <ns>.<dataset>_events}, for engines that know nothing of BatchWeave.
 *
 * <pre>{@code
 * Fold fold = Fold.of(log, catalog);
 * Folded folded = fold.run();       // again and again: each reads what is new
 * }</pre>
 *
 * <p>Every step is folded once and only once, by any number of folds at any time, in any processes,
 * whatever a catalog answers. The view is derived: it may lag, be dropped and be made anew, and
 * nothing that trainers or producers do depends on it. A producer's process may fold every so many
 * commits, by a {@link BackgroundFold}; what a fold throws says that the view lags, and no more.
 *
 * <p>Not safe for use by several threads: give each a Fold, and a Log. It closes neither the
 * catalog nor the log.
 */
public final class Fold {
    private static final Logger LOG = LoggerFactory.getLogger(Fold.class);

    private final Log log;
    private final Catalog catalog;
    private final FoldLimits limits;
    private final Patience patience;
    private final Replay replay;
    private final Gathering gathering;

    private Fold(Log log, Catalog catalog, FoldLimits limits) {
        this.log = log;
        this.catalog = catalog;
        this.limits = limits;
        this.patience =
                new Patience(
                        "fold %s into catalog %s".formatted(log.layout().dataset(), catalog.name()),
                        log.world(),
                        limits);
        this.replay = new Replay(log);
        this.gathering = new Gathering(log, limits, replay);
    }

    /** A fold of this log into any catalog. */
    public static Fold of(Log log, Catalog catalog) {
        return of(log, catalog, FoldLimits.DEFAULT);
    }

    /** A fold with limits of its own. */
    public static Fold of(Log log, Catalog catalog, FoldLimits limits) {
        return new Fold(log, catalog, limits);
    }

    /**
     * Folds what is in the log by now. Makes the tables if they are not there.
     *
     * @throws UnavailableException if the store or the catalog does not answer in time; run it
     *     again
     * @throws InvalidRequestException if somebody else wrote to the tables what does not belong
     *     there, or deleted what does; {@link #rebuild} mends it
     * @throws io.batchweave.errors.CorruptException if the log is damaged
     */
    public Folded run() {
        return withTables(View::fold);
    }

    /**
     * Makes the view anew, from step 0 on: all that the tables hold is replaced in one commit each.
     * The dataset is only read. Fails like {@link #run}.
     */
    public Folded rebuild() {
        for (ViewTable kind : ViewTable.values()) {
            dropIfDamaged(kind.identifier(log.layout().dataset()));
        }
        return withTables(View::rebuild);
    }

    /** Where not even the metadata can be read, a new table takes its place. */
    private void dropIfDamaged(TableIdentifier table) {
        try {
            Table unused = patience.until(() -> catalog.loadTable(table));
        } catch (NoSuchTableException e) {
            LOG.debug("There is no table {} yet", table);
        } catch (CorruptException e) {
            LOG.warn("Table {} is made anew, and old files of it stay: {}", table, e.getMessage());
            patience.until(() -> catalog.dropTable(table, false));
        }
    }

    /**
     * Expires every snapshot that neither a checkpoint's tag nor a tag or branch of somebody else
     * holds, but for the current ones, and deletes the files that no other snapshot needs. Queries
     * that run on an expired snapshot may fail.
     *
     * @return how many
     */
    public int expire() {
        return withTables(View::expire);
    }

    /**
     * Whether there is a view by now, or a table of it. Unlike the others this makes none, so that
     * whoever looks after a dataset can leave alone what nobody has asked for.
     *
     * @throws UnavailableException if the catalog does not answer in time
     */
    public boolean hasView() {
        return !new FoldedTables(log.layout().dataset(), catalog, log.world()).names().isEmpty();
    }

    /** Tables may be dropped while we work on them; then all begins again. */
    private <T> T withTables(Work<T> work) {
        Deadline deadline = log.world().deadline(limits.patience());
        while (true) {
            State head = log.catchUp();
            try {
                Opened steps = open(ViewTable.STEPS, head);
                Opened events = open(ViewTable.EVENTS, head);
                return work.on(
                        new View(log, catalog, limits, patience, replay, gathering, steps, events));
            } catch (NoSuchTableException e) {
                if (!deadline.remains()) {
                    throw new UnavailableException(
                            "Cannot fold %s: its tables are dropped as fast as they are made; find out by whom"
                                    .formatted(log.layout().dataset()),
                            e);
                }
            }
        }
    }

    private Opened open(ViewTable kind, State head) {
        return patience.until(() -> Opened.open(kind, catalog, log.layout().dataset(), head));
    }

    /** What is done to the tables. */
    @FunctionalInterface
    private interface Work<T> {
        T on(View view);
    }
}
