package io.batchweave.cli;

import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.log.Log;
import io.batchweave.retain.Sweep;
import io.batchweave.retain.Swept;
import io.batchweave.store.ObjectStore;
import java.util.Map;
import java.util.Optional;
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
            "It is said in the log before it is done. Any number of sweeps may run, and stop anywhere.",
            "If the dataset has a view (see fold), what is new is folded into it then, and every snapshot of it"
                    + " that no tag or branch holds expires. If the view cannot be reached, the sweep is done all the"
                    + " same, and says so at its end."
        })
final class SweepCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private CatalogOptions catalog;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--dry-run", description = "Say what would be deleted, and delete nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        // What is wrong with the request is said before anything is deleted.
        catalog.check();
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    Swept swept = sweep(log);
                    output.say(text(swept));
                    output.flush();
                    return dryRun ? told(swept, Optional.empty()) : keepView(store, log, swept);
                });
    }

    private Swept sweep(Log log) {
        try (Progress progress = new Progress("objects deleted", warehouse.world().clock())) {
            Sweep sweep = new Sweep(log, progress::at);
            return dryRun ? sweep.plan() : sweep.run();
        }
    }

    /** The sweep is done, and stays done whatever becomes of its view. */
    private ExitCode keepView(ObjectStore store, Log log, Swept swept) {
        Optional<SweptView> view;
        try (OpenCatalog opened = catalog.open(store, warehouse.world())) {
            view = SweptView.keep(opened.fold(log));
        } catch (RuntimeException e) {
            told(swept, Optional.empty());
            throw SweptView.failed(dataset, e);
        }
        view.ifPresent(kept -> output.say(kept.text()));
        return told(swept, view);
    }

    /** For programs: all at once, in the end. */
    private ExitCode told(Swept swept, Optional<SweptView> view) {
        if (output.isJson()) {
            output.print(json(swept, view), "");
            output.flush();
        }
        return ExitCode.OK;
    }

    private Map<String, Object> json(Swept swept, Optional<SweptView> view) {
        return Output.object(
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
                "commits_kept", swept.log().kept(),
                "view_folded", view.isPresent(),
                "view_expired", view.map(SweptView::expired).orElse(0));
    }

    private String text(Swept swept) {
        String first = "the first step that is kept is " + swept.lowStep();
        if (swept.isNothing()) {
            return "Nothing to sweep in " + dataset + "; " + first;
        }
        return String.format(
                "%s %s: payload of %s (%s)%s, %s left behind (%s), %s (%s); %s%s",
                dryRun ? "Would sweep from" : "Swept from",
                dataset,
                Output.count(swept.steps(), "step", "steps"),
                Output.count(swept.payload().bytes(), "byte", "bytes"),
                again(swept.again()),
                Output.count(swept.left().objects(), "object", "objects"),
                Output.count(swept.left().bytes(), "byte", "bytes"),
                Output.count(swept.log().commits(), "commit", "commits"),
                Output.count(swept.log().bytes(), "byte", "bytes"),
                first,
                kept(swept.log().kept()));
    }

    private static String again(long steps) {
        return steps == 0
                ? ""
                : ", what an earlier sweep has left of " + Output.count(steps, "step", "steps");
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
