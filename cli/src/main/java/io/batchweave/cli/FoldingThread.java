package io.batchweave.cli;

import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.steps.BackgroundFold;
import io.batchweave.steps.Fold;
import io.batchweave.store.ObjectStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Folds on a thread of its own, where also the catalog is opened: it may be away, or hang. */
final class FoldingThread implements Folding {
    private static final Duration LAST_MOST = Duration.ofSeconds(20);
    private static final long END_MILLIS_MAX = 100;

    private final WarehouseOptions warehouse;
    private final CatalogOptions options;
    private final ObjectStore store;
    private final String dataset;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(FoldingThread::daemon);
    private final BackgroundFold folding;

    /** Of the thread, until that has ended. */
    private Optional<OpenCatalog> catalog = Optional.empty();

    FoldingThread(
            WarehouseOptions warehouse,
            CatalogOptions options,
            ObjectStore store,
            String dataset,
            int commits) {
        this.warehouse = warehouse;
        this.options = options;
        this.store = store;
        this.dataset = dataset;
        this.folding =
                BackgroundFold.every(
                        commits, this::open, thread, warehouse.world(), warehouse::tell);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "fold");
        thread.setDaemon(true);
        return thread;
    }

    private Fold open() {
        if (catalog.isEmpty()) {
            catalog = Optional.of(options.open(store, warehouse.world()));
        }
        return catalog.get().fold(warehouse.open(store, dataset));
    }

    @Override
    public void committed() {
        folding.committed();
    }

    @Override
    public void finish() {
        folding.finish(LAST_MOST);
    }

    /** A catalog that hangs is left to the end of the process. */
    @Override
    public void close() {
        folding.close();
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(END_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                catalog.ifPresent(OpenCatalog::close);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
