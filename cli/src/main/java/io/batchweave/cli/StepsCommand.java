package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Count;
import io.batchweave.state.StepRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the published steps. */
@Command(
        name = "steps",
        mixinStandardHelpOptions = true,
        description =
                "List the published steps: who published each, when, how large it is, and whether its payload is"
                        + " swept.")
final class StepsCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--from",
            paramLabel = "STEP",
            defaultValue = "0",
            description = "First step. Default: 0")
    private long from;

    @Override
    public Integer call() {
        if (from < 0) {
            throw new InvalidRequestException("Invalid --from " + from + ": steps count from 0");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    long end = log.state().nextStep();
                    for (long step = from; step < end && output.isOpen(); step++) {
                        print(log.step(step), step < log.state().lowStep());
                    }
                    return ExitCode.OK;
                });
    }

    private void print(StepRecord step, boolean swept) {
        Map<String, Long> counts = new LinkedHashMap<>();
        step.batch().counts().forEach((Count count) -> counts.put(count.name(), count.value()));
        output.print(
                Output.object(
                        "step", step.step(),
                        "version", step.version(),
                        "producer", step.claim().producer(),
                        "epoch", step.claim().epoch(),
                        "sequence", step.claim().sequence(),
                        "rows", step.batch().rows(),
                        "bytes", step.batch().bytes(),
                        "counts", counts,
                        "published_at", step.at().toString(),
                        "swept", swept,
                        "receipt", step.receipt().toHex()),
                String.format(
                        "step %d  version %d  %s  rows %d  bytes %d  %s  %s%s",
                        step.step(),
                        step.version(),
                        step.claim(),
                        step.batch().rows(),
                        step.batch().bytes(),
                        counts,
                        step.at(),
                        swept ? "  swept" : ""));
    }
}
