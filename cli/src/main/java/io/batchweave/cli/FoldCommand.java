package io.batchweave.cli;

import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.steps.Fold;
import io.batchweave.steps.Folded;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Folds the log into Iceberg tables. */
@Command(
        name = "fold",
        mixinStandardHelpOptions = true,
        description = {
            "Fold the log into two Iceberg tables, NS.NAME_steps and NS.NAME_events, for SQL engines: each reads"
                    + " what is new and adds it.",
            "Any number of folds may run, and stop anywhere. Nothing of the dataset depends on the tables: they may"
                    + " be dropped, and are made anew."
        })
final class FoldCommand implements Callable<Integer>, Interruptible {
    private static final Logger LOG = LoggerFactory.getLogger(FoldCommand.class);

    @Mixin private WarehouseOptions warehouse;
    @Mixin private CatalogOptions catalog;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--follow", description = "Go on until interrupted.")
    private boolean follow;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "With --follow: time between two folds, if there is news. Default: 10s")
    private Duration every;

    @Option(
            names = "--rebuild",
            description = "Make the view anew from step 0 on, in one commit a table.")
    private boolean rebuild;

    @Option(
            names = "--expire",
            description =
                    "Then expire every snapshot of the tables that no tag or branch holds; checkpoints are tags.")
    private boolean expire;

    @Override
    public Integer call() {
        if (follow && (rebuild || expire)) {
            throw new InvalidRequestException(
                    "Cannot follow and rebuild or expire at once: run them one after the other");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    try (OpenCatalog opened = catalog.open(store, warehouse.world())) {
                        return fold(log, opened.fold(log));
                    }
                });
    }

    private ExitCode fold(Log log, Fold fold) {
        Folded folded = rebuild ? fold.rebuild() : fold.run();
        print(folded, expire ? fold.expire() : folded.expired());
        long version = log.state().version();
        while (follow && output.isOpen() && awaitNews(log, version)) {
            version = log.state().version();
            again(fold);
        }
        return ExitCode.OK;
    }

    private boolean awaitNews(Log log, long version) {
        warehouse.world().pause().pause(every);
        while (!log.awaitNews(version, warehouse.world().deadline(every))) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    /** Who follows outlasts a catalog that is away. */
    private void again(Fold fold) {
        try {
            Folded folded = fold.run();
            print(folded, folded.expired());
        } catch (UnavailableException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    private void print(Folded folded, int expired) {
        output.print(
                Output.object(
                        "dataset", dataset,
                        "steps", folded.steps(),
                        "events", folded.events(),
                        "next_step", folded.nextStep(),
                        "next_version", folded.nextVersion(),
                        "merged", folded.merged(),
                        "tags", folded.tags(),
                        "expired", expired),
                String.format(
                        "Folded %s and %s of %s; all steps before %d are in the view, with %s%s%s",
                        Output.count(folded.steps(), "step", "steps"),
                        Output.count(folded.events(), "event", "events"),
                        dataset,
                        folded.nextStep(),
                        Output.count(folded.tags(), "checkpoint", "checkpoints"),
                        folded.merged() == 0
                                ? ""
                                : "; merged " + Output.count(folded.merged(), "file", "files"),
                        expired == 0
                                ? ""
                                : "; expired " + Output.count(expired, "snapshot", "snapshots")));
    }

    @Override
    public String interrupt() {
        return "what was folded is in the view; run the same again to go on";
    }
}
