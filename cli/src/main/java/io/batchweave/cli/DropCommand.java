package io.batchweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.DatasetName;
import io.batchweave.retain.Drop;
import io.batchweave.retain.Drop.IfUnreadable;
import io.batchweave.retain.Dropped;
import io.batchweave.retain.Swept.Found;
import io.batchweave.state.State;
import io.batchweave.steps.FoldedTables;
import io.batchweave.store.CountingStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drops a dataset. */
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        description = {
            "Delete a dataset: payload, log and view. It says what will go, and asks. It refuses while a job is"
                    + " attached; producers that are open end as if it were sealed.",
            "One object without bytes stays and says that it was dropped, so that nobody who slept takes another"
                    + " dataset for it: its name is not used again. So does a mark of each table. Run it again to delete"
                    + " what a drop has left."
        })
final class DropCommand implements Callable<Integer>, Interruptible {
    @Spec private CommandSpec command;
    @Mixin private WarehouseOptions warehouse;
    @Mixin private CatalogOptions catalog;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--dry-run", description = "Say what would be deleted, and delete nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Option(
            names = "--unreadable",
            description =
                    "Drop it even if its log cannot be read. End its producers and jobs before: nobody can see them"
                            + " then.")
    private boolean unreadable;

    @Option(names = "--keep-view", description = "Leave the Iceberg tables as they are.")
    private boolean keepView;

    private volatile boolean begun;

    @Override
    public Integer call() {
        DatasetName name = DatasetName.parse(dataset);
        try (Progress progress = new Progress("objects deleted", warehouse.world().clock())) {
            return warehouse.run(
                    store -> {
                        drop(store, name, progress);
                        return ExitCode.OK;
                    });
        }
    }

    /** What is done to the tables of the view, if it is not to be left alone. */
    private List<String> tables(
            CountingStore store, DatasetName name, Function<FoldedTables, List<String>> work) {
        if (keepView) {
            return List.of();
        }
        try (OpenCatalog opened = catalog.open(store, warehouse.world())) {
            return work.apply(opened.tables(name, warehouse.world()));
        }
    }

    private void drop(CountingStore store, DatasetName name, Progress progress) {
        Drop drop = new Drop(store, name, warehouse.world());
        String what =
                drop.tombstone()
                        .map(stone -> "what is left of it, since it was dropped at " + stone.at())
                        .orElseGet(() -> describe(drop));
        List<String> tables = tables(store, name, FoldedTables::names);
        Found objects = drop.objects();
        if (dryRun) {
            output.say("Would drop %s: %s%s%s".formatted(dataset, what, in(objects), and(tables)));
            print(objects, 0, tables);
            return;
        }
        boolean isAnything = objects.objects() > 0 || !tables.isEmpty();
        if (isAnything && !yes) {
            ask("Drop %s: %s%s%s".formatted(dataset, what, in(objects), and(tables)));
        }
        begun = true;
        Dropped dropped =
                drop.run(unreadable ? IfUnreadable.DROP : IfUnreadable.REFUSE, progress::at);
        progress.close();
        output.say("Dropped %s%s%s".formatted(dataset, in(dropped.deleted()), kept(dropped)));
        tables = tables(store, name, FoldedTables::drop);
        if (!tables.isEmpty()) {
            output.say("Dropped its view" + and(tables));
        }
        print(dropped.deleted(), dropped.kept().objects(), tables);
    }

    private String describe(Drop drop) {
        try {
            return describe(drop.state());
        } catch (CorruptException e) {
            if (unreadable) {
                return "nobody knows what, since its log cannot be read";
            }
            throw new CorruptException(
                    e.getMessage()
                            + ". To drop it all the same, end its producers and jobs and give --unreadable",
                    e);
        }
    }

    private static String describe(State state) {
        List<String> producers = state.unfinished();
        return Output.count(state.nextStep(), "step", "steps")
                + " of "
                + Output.count(state.steps().totals().rows(), "row", "rows")
                + (producers.isEmpty() ? "" : ", ending producers " + String.join(", ", producers));
    }

    private static String in(Found objects) {
        return ", %s (%s)"
                .formatted(
                        Output.count(objects.objects(), "object", "objects"),
                        Output.count(objects.bytes(), "byte", "bytes"));
    }

    private static String and(List<String> tables) {
        return tables.isEmpty() ? "" : ", tables " + String.join(" and ", tables);
    }

    private static String kept(Dropped dropped) {
        return dropped.kept().objects() == 0
                ? ""
                : "; %s until %s, for producers that sleep: drop it again then, if they are to go too"
                        .formatted(
                                Output.count(
                                        dropped.kept().objects(), "commit stays", "commits stay"),
                                dropped.tombstone().ripeAt());
    }

    /** Nobody drops a dataset by a slip of the hand, or of a script. */
    private void ask(String question) {
        if (output.isJson() || !dataset.equals(answerTo(question))) {
            throw new InvalidRequestException(
                    "Nothing was dropped: type "
                            + dataset
                            + " when you are asked, or give --yes where nobody is");
        }
    }

    private String answerTo(String question) {
        PrintWriter out = command.commandLine().getOut();
        out.print(question + ". Nothing brings it back. Type " + dataset + " to go on: ");
        out.flush();
        ReadableByteChannel input = ((Main) command.root().userObject()).input();
        try {
            String line = new BufferedReader(Channels.newReader(input, UTF_8)).readLine();
            if (line == null) {
                out.println();
                return "";
            }
            return line.strip();
        } catch (IOException e) {
            throw new InvalidRequestException("Nothing was dropped: the answer cannot be read", e);
        }
    }

    /** For programs: all at once, in the end. */
    private void print(Found deleted, long kept, List<String> tables) {
        if (output.isJson()) {
            output.print(
                    Output.object(
                            "dataset",
                            dataset,
                            "dry_run",
                            dryRun,
                            "objects",
                            deleted.objects(),
                            "bytes",
                            deleted.bytes(),
                            "commits_kept",
                            kept,
                            "tables",
                            tables),
                    "");
        }
    }

    @Override
    public String interrupt() {
        return begun
                ? "what was deleted stays deleted; run the same again to delete the rest"
                : "nothing was dropped";
    }
}
