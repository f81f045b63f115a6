package io.batchweave.steps;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ServiceFailureException;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A catalog whose commits and looks come out as a test plans. */
final class FaultyCatalog extends InMemoryCatalog {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Deque<Outcome> next = new ArrayDeque<>();
    private Supplier<Outcome> always = () -> null;
    private Runnable beforeCommit = () -> {};
    private int looksThatFail;
    private boolean isAway;

    FaultyCatalog() {
        // Its files lie in a memory that all catalogs of the process share.
        String folder = "/warehouse" + COUNT.incrementAndGet();
        initialize("faulty", Map.of(CatalogProperties.WAREHOUSE_LOCATION, folder));
    }

    /** The next commit of a table comes out so. */
    void next(Outcome outcome) {
        next.add(outcome);
    }

    /** Decides how each commit comes out, from now on; null: well. */
    void always(Supplier<Outcome> plan) {
        always = plan;
    }

    /** Does something before the next commit. */
    void beforeCommit(Runnable action) {
        beforeCommit = action;
    }

    /** Nothing is answered any more, or is again. */
    void away(boolean away) {
        isAway = away;
    }

    @Override
    protected TableOperations newTableOps(TableIdentifier table) {
        return planned(super.newTableOps(table));
    }

    /** Operations of another catalog, whose commits and looks come out as this one's do. */
    TableOperations planned(TableOperations real) {
        return new Faulty(real);
    }

    private void look() {
        if (isAway || looksThatFail > 0) {
            looksThatFail--;
            throw new ServiceUnavailableException("the catalog is away");
        }
    }

    private final class Faulty implements TableOperations {
        private final TableOperations real;

        Faulty(TableOperations real) {
            this.real = real;
        }

        @Override
        public TableMetadata current() {
            look();
            return real.current();
        }

        @Override
        public TableMetadata refresh() {
            look();
            return real.refresh();
        }

        @Override
        public void commit(TableMetadata base, TableMetadata metadata) {
            look();
            Runnable action = beforeCommit;
            beforeCommit = () -> {};
            action.run();
            Outcome outcome = next.isEmpty() ? always.get() : next.poll();
            if (outcome == null || outcome.done() == Outcome.Done.APPLIED) {
                real.commit(base, metadata);
            }
            if (outcome != null) {
                looksThatFail = outcome.looksThatFail();
                switch (outcome.answer()) {
                    case LOST ->
                            throw new CommitStateUnknownException(
                                    new IllegalStateException("no answer"));
                    case ERROR -> throw new ServiceFailureException("an error");
                    case CONFLICT -> throw new CommitFailedException("a conflict");
                }
            }
        }

        @Override
        public FileIO io() {
            return real.io();
        }

        @Override
        public EncryptionManager encryption() {
            return real.encryption();
        }

        @Override
        public String metadataFileLocation(String fileName) {
            return real.metadataFileLocation(fileName);
        }

        @Override
        public LocationProvider locationProvider() {
            return real.locationProvider();
        }

        @Override
        public TableOperations temp(TableMetadata uncommitted) {
            return real.temp(uncommitted);
        }
    }
}
