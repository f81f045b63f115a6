package io.batchweave.cli;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.log.Datasets;
import io.batchweave.log.Log;
import io.batchweave.model.DatasetName;
import io.batchweave.state.State;
import io.batchweave.state.Totals;
import io.batchweave.store.CountingStore;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells which datasets there are. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "List the datasets of a warehouse, a line each. One that cannot be opened is told with the"
                        + " reason, and the exit code is that of the first of them.")
final class ListCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAMESPACE",
            description = "Of this namespace alone. Default: all")
    private String namespace;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    List<DatasetName> found =
                            namespace == null ? Datasets.in(store) : Datasets.in(namespace, store);
                    ExitCode code = ExitCode.OK;
                    for (DatasetName name : found) {
                        ExitCode own = print(name, store);
                        code = code == ExitCode.OK ? own : code;
                    }
                    return code;
                });
    }

    private ExitCode print(DatasetName name, CountingStore store) {
        try {
            print(name, warehouse.open(store, name.toString()));
            return ExitCode.OK;
        } catch (BatchWeaveException e) {
            output.print(
                    Output.object("dataset", name.toString(), "error", e.getMessage()),
                    name + "  " + e.getMessage());
            return ExitCode.of(e);
        }
    }

    private void print(DatasetName name, Log log) {
        State state = log.state();
        Totals totals = state.steps().totals();
        String phase = state.phase().name().toLowerCase(Locale.ROOT);
        int jobs = state.attachedJobs().size();
        output.print(
                Output.object(
                        "dataset",
                        name.toString(),
                        "id",
                        state.dataset().id(),
                        "phase",
                        phase,
                        "grid",
                        state.dataset().grid().toString(),
                        "steps",
                        state.nextStep(),
                        "low_step",
                        state.lowStep(),
                        "rows",
                        totals.rows(),
                        "bytes",
                        totals.bytes(),
                        "jobs",
                        jobs),
                "%s  %s  grid %s  %s  %s  %s  %s"
                        .formatted(
                                name,
                                phase,
                                state.dataset().grid(),
                                Output.count(state.nextStep(), "step", "steps"),
                                Output.count(totals.rows(), "row", "rows"),
                                Output.count(totals.bytes(), "byte", "bytes"),
                                Output.count(jobs, "job", "jobs")));
    }
}
