package io.batchweave.cli;

import io.batchweave.retain.Job;
import io.batchweave.state.Position;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Releases a checkpoint. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        description = "Say that a checkpoint is not needed any more: nothing is kept for it.")
final class ReleaseCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private JobOptions of;

    @Option(
            names = "--id",
            required = true,
            paramLabel = "ID",
            description = "What the job calls the checkpoint.")
    private String id;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    Job job = of.open(warehouse.open(store, of.dataset()));
                    boolean wasKept = job.state().checkpoint(id).isPresent();
                    job.release(id);
                    print(wasKept, job);
                    return ExitCode.OK;
                });
    }

    private void print(boolean wasKept, Job job) {
        List<String> kept = job.state().checkpoints().stream().map(Position::checkpoint).toList();
        output.print(
                Output.object(
                        "dataset", of.dataset(),
                        "job", of.job(),
                        "checkpoint", id,
                        "released", wasKept,
                        "kept", kept),
                (wasKept
                                ? "Released checkpoint " + id + " of " + of
                                : "There is no checkpoint " + id + " of " + of + " to release")
                        + "; it keeps "
                        + (kept.isEmpty() ? "none" : String.join(", ", kept)));
    }

    @Override
    public String interrupt() {
        return "the checkpoint may be released or not; run the same again";
    }
}
