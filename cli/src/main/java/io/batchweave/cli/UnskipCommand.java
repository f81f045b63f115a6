package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.State;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Skips steps no more. */
@Command(
        name = "unskip",
        mixinStandardHelpOptions = true,
        description = "Skip steps no more, in sessions that start from now on.")
final class UnskipCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private SkippedSteps steps;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Override
    public Integer call() {
        StepRange range = steps.range();
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    StepRanges were = log.state().skips().steps().within(range);
                    print(range, were, log.append(List.of(new Unskip(range))));
                    return ExitCode.OK;
                });
    }

    private void print(StepRange range, StepRanges were, State state) {
        output.print(
                Output.object(
                        "dataset", dataset,
                        "steps", range.toString(),
                        "skips", Output.ranges(state.skips().steps())),
                were.isEmpty()
                        ? "Steps " + range + " of " + dataset + " are not skipped"
                        : "Skipping steps "
                                + were
                                + " of "
                                + dataset
                                + " no more, in sessions that start from now on");
    }

    @Override
    public String interrupt() {
        return SkippedSteps.INTERRUPT;
    }
}
