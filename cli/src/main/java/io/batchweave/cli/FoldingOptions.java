package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ObjectStore;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether a command that publishes folds too: its options. */
final class FoldingOptions {
    @Option(
            names = "--fold-every",
            paramLabel = "COMMITS",
            defaultValue = "0",
            description =
                    "Fold into the view (see fold) beside publishing, whenever this process has made so many commits,"
                            + " and once more at the end. If the catalog is away or slow, publishing"
                            + " goes on: the view lags, and standard error says so. Default: never")
    private int commits;

    @Mixin private CatalogOptions catalog;

    /** Refuses options that make no sense, before anything is published. */
    void check() {
        if (commits < 0) {
            throw new InvalidRequestException(
                    "Invalid --fold-every "
                            + commits
                            + ": use the number of commits between two folds, or 0 for never");
        }
        boolean isOther = !catalog.other().isEmpty();
        if (commits == 0 && isOther) {
            throw new InvalidRequestException(
                    "Cannot use a catalog without --fold-every: nothing is folded into it; say after"
                            + " how many commits to fold, or leave it out");
        }
    }

    /** Begins to fold what is published, if that was asked for. */
    Folding start(WarehouseOptions warehouse, ObjectStore store, String dataset) {
        return commits == 0
                ? Folding.NONE
                : new FoldingThread(warehouse, catalog, store, dataset, commits);
    }
}
