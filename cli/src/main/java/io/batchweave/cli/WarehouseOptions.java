package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.store.CountingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Requests;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Where the data lies, and what to tell at the end: the options of every command that opens a
 * store.
 */
final class WarehouseOptions {
    /** Work on an open store. */
    @FunctionalInterface
    interface Work {
        ExitCode on(CountingStore store);
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-w", "--warehouse"},
            paramLabel = "URI",
            defaultValue = "${env:BATCHWEAVE_WAREHOUSE:-./warehouse}",
            description =
                    "Folder or URI of the warehouse (or BATCHWEAVE_WAREHOUSE). Default: ${DEFAULT-VALUE}")
    private String warehouse;

    @Option(
            names = "--stats",
            description =
                    "End with the requests by kind, the bytes up and down, and the retries, on standard error.")
    private boolean stats;

    private final World world = World.real();

    World world() {
        return world;
    }

    /** Tells people of trouble that does not end the command. */
    void tell(String message) {
        new ErrorLines(command.commandLine().getErr()).tell(message);
    }

    /** Opens the store, works on it, closes it, and tells the statistics if they were asked for. */
    int run(Work work) {
        return run(Stores.open(namedUri(), world), work);
    }

    /** Like {@link #run(Work)}, and makes a local folder that does not exist. */
    int runOnNew(Work work) {
        return run(Stores.make(namedUri(), world), work);
    }

    private String namedUri() {
        if (warehouse.isBlank()) {
            throw new InvalidRequestException(
                    "Cannot open a warehouse without a name: give --warehouse a folder or a URI");
        }
        return warehouse;
    }

    private int run(ObjectStore opened, Work work) {
        try (CountingStore store = new CountingStore(opened)) {
            try {
                return work.on(store).code();
            } finally {
                command.commandLine().getOut().flush();
                if (stats) {
                    command.commandLine().getErr().println(line(store.requests()));
                    command.commandLine().getErr().flush();
                }
            }
        }
    }

    private static String line(Requests requests) {
        return String.format(
                "stats: creates=%d uploads=%d reads=%d lists=%d deletes=%d refused=%d unknown=%d bytes_up=%d bytes_down=%d",
                requests.creates(),
                requests.uploads(),
                requests.reads(),
                requests.lists(),
                requests.deletes(),
                requests.refused(),
                requests.unknown(),
                requests.bytesUp(),
                requests.bytesDown());
    }

    /** Opens a dataset. */
    Log open(ObjectStore store, String dataset) {
        return Log.open(store, DatasetName.parse(dataset), world, LogLimits.DEFAULT);
    }
}
