package io.batchweave.cli;

import io.batchweave.cli.publish.Conversation;
import io.batchweave.cli.rows.arrow.InputPipe;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Dataset;
import io.batchweave.model.Names;
import io.batchweave.store.CountingStore;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes what a program pipes into it. */
@Command(
        name = "publish",
        mixinStandardHelpOptions = true,
        description = {
            "Publish what another program pipes in: on standard input a line of JSON for each request,"
                    + " behind it a batch as an Arrow IPC stream with a record batch for each slice;"
                    + " on standard output a line of JSON for each reply. cli/publish.md is the"
                    + " contract.",
            "It lives as long as its standard input. Killed at any moment and started again, its first"
                    + " line tells where to go on, without gap or repeat."
        })
final class PublishCommand implements Callable<Integer>, Interruptible {
    /** How many batches are uploaded at the same time. */
    private static final int UPLOADERS = 4;

    @Spec private CommandSpec command;

    @Mixin private WarehouseOptions warehouse;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--producer",
            required = true,
            paramLabel = "ID",
            description = "The producer's identity.")
    private String producer;

    @Mixin private FoldingOptions folds;

    @Override
    public Integer call() {
        ExecutorService committer = Executors.newFixedThreadPool(UPLOADERS);
        try {
            folds.check();
            return warehouse.run(store -> converse(store, committer));
        } catch (RuntimeException | Error e) {
            // For the program; people are told on standard error, as by any command.
            Map<String, Object> error =
                    Output.object(
                            "kind",
                            ErrorKind.of(e).word(),
                            "message",
                            Names.onOneLine(Failure.of(e).text()));
            reply(Map.of("error", error));
            throw e;
        } finally {
            committer.shutdown();
        }
    }

    private ExitCode converse(CountingStore store, ExecutorService committer) {
        Log log = warehouse.open(store, dataset);
        demandAdmitted(log.state().dataset());
        InputPipe pipe = new InputPipe(((Main) command.root().userObject()).input());
        BufferAllocator allocator = new RootAllocator();
        try (Folding folding = folds.start(warehouse, store, dataset)) {
            new Conversation(log, producer, pipe, this::reply)
                    .run(committer, folding::committed, allocator);
            allocator.close();
            folding.finish();
        }
        return ExitCode.OK;
    }

    private void reply(Map<String, ?> object) {
        command.commandLine().getOut().println(Output.toJson(object));
        command.commandLine().getOut().flush();
    }

    private void demandAdmitted(Dataset described) {
        if (!described.admits(producer)) {
            throw new InvalidRequestException(
                    "Cannot publish to "
                            + dataset
                            + " as producer "
                            + producer
                            + ": it declares the producers "
                            + String.join(", ", described.producers())
                            + "; be one of them");
        }
    }

    @Override
    public String interrupt() {
        return "what was published stays; start it again to learn where to go on";
    }
}
