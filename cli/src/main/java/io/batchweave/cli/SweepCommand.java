package io.batchweave.cli;

import io.batchweave.retain.Sweep;
import io.batchweave.retain.Swept;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes what nothing can need any more. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        description = {
            "Delete what nothing can need any more: payload below every checkpoint and policy,"
                    + " what producers left behind, and old commits (packed, so that the history stays).",
            "It is said in the log before it is done. Any number of sweeps may run, and stop anywhere."
        })
final class SweepCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--dry-run", description = "Say what would be deleted, and delete nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        try (Progress progress = new Progress("objects deleted", warehouse.world().clock())) {
            return warehouse.run(
                    store -> {
                        Sweep sweep = new Sweep(warehouse.open(store, dataset), progress::at);
                        Swept swept = dryRun ? sweep.plan() : sweep.run();
                        progress.close();
                        print(swept);
                        return ExitCode.OK;
                    });
        }
    }

    private void print(Swept swept) {
        output.print(
                Output.object(
                        "dataset", dataset,
                        "dry_run", dryRun,
                        "low_step", swept.lowStep(),
                        "steps", swept.steps(),
                        "payload_objects", swept.payload().objects(),
                        "payload_bytes", swept.payload().bytes(),
                        "steps_again", swept.again(),
                        "left_objects", swept.left().objects(),
                        "left_bytes", swept.left().bytes(),
                        "commits", swept.log().commits(),
                        "commit_bytes", swept.log().bytes(),
                        "commits_kept", swept.log().kept()),
                text(swept));
    }

    private String text(Swept swept) {
        String first = "the first step that is kept is " + swept.lowStep();
        if (swept.isNothing()) {
            return "Nothing to sweep in " + dataset + "; " + first;
        }
        return String.format(
                "%s %s: payload of %s (%s), %s left behind (%s), %s (%s); %s%s",
                dryRun ? "Would sweep from" : "Swept from",
                dataset,
                Output.count(swept.steps(), "step", "steps"),
                Output.count(swept.payload().bytes(), "byte", "bytes"),
                Output.count(swept.left().objects(), "object", "objects"),
                Output.count(swept.left().bytes(), "byte", "bytes"),
                Output.count(swept.log().commits(), "commit", "commits"),
                Output.count(swept.log().bytes(), "byte", "bytes"),
                first,
                kept(swept.log().kept()));
    }

    private static String kept(long commits) {
        return commits == 0
                ? ""
                : "; "
                        + Output.count(commits, "commit stays", "commits stay")
                        + ": their pack would be too large, or another version of BatchWeave wrote some"
                        + " of them in another form; sweep with that version to trim them";
    }

    @Override
    public String interrupt() {
        return "what was deleted was not needed; run the same again to delete the rest";
    }
}
