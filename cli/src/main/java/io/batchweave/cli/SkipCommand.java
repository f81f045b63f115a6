package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.StepRange;
import io.batchweave.state.Position;
import io.batchweave.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Skips steps. */
@Command(
        name = "skip",
        mixinStandardHelpOptions = true,
        description = {
            "Skip steps, for all ranks of every session that starts from now on: a bad batch, a loss"
                    + " spike. No other step changes its number.",
            "Sessions that run go on as they are; start another one, at a checkpoint before the steps."
        })
final class SkipCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private SkippedSteps steps;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why.")
    private String reason;

    @Override
    public Integer call() {
        StepRange range = steps.range();
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    print(range, log.append(List.of(new Skip(range, reason))));
                    return ExitCode.OK;
                });
    }

    private void print(StepRange range, State state) {
        List<String> notes = new ArrayList<>();
        if (range.last() >= state.nextStep()) {
            notes.add(
                    "only %s published yet"
                            .formatted(Output.count(state.nextStep(), "step is", "steps are")));
        }
        state.jobs()
                .forEach(
                        (name, job) -> {
                            Position newest = job.position();
                            if (job.isAttached() && newest.nextStep() > range.first()) {
                                notes.add(
                                        "job %s is at %s: only a session at an older checkpoint skips them all"
                                                .formatted(name, newest));
                            }
                        });
        output.print(
                Output.object(
                        "dataset",
                        dataset,
                        "steps",
                        range.toString(),
                        "skips",
                        Output.ranges(state.skips().steps()),
                        "notes",
                        notes),
                "Skipping steps "
                        + range
                        + " of "
                        + dataset
                        + " in sessions that start from now on"
                        + (notes.isEmpty() ? "" : "; " + String.join("; ", notes)));
    }

    @Override
    public String interrupt() {
        return SkippedSteps.INTERRUPT;
    }
}
