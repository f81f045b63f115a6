package io.batchweave.cli;

import io.batchweave.retain.Jobs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Detaches a job. */
@Command(
        name = "detach",
        mixinStandardHelpOptions = true,
        description = "Detach a training job: nothing is kept for it any more.")
final class DetachCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private JobOptions of;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    new Jobs(warehouse.open(store, of.dataset())).detach(of.job());
                    output.print(
                            Output.object("dataset", of.dataset(), "job", of.job()),
                            "Detached " + of);
                    return ExitCode.OK;
                });
    }

    @Override
    public String interrupt() {
        return "the job may be detached or not; run the same again";
    }
}
