package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.StepRanges;
import io.batchweave.read.Cursor;
import io.batchweave.state.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts a session. */
@Command(
        name = "session",
        mixinStandardHelpOptions = true,
        description = {
            "Start a session of a training job, or find it: every rank asks for it by the same id.",
            "It fixes for all ranks at which step they start and what they skip; nothing that is"
                    + " skipped later changes it. Each restart of the job takes another id."
        })
final class SessionCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private JobOptions of;

    @Option(
            names = "--id",
            required = true,
            paramLabel = "ID",
            description = "What the ranks of this start call it.")
    private String id;

    @Option(
            names = "--at",
            paramLabel = "CHECKPOINT",
            defaultValue = "",
            description =
                    "Start at this checkpoint, to roll back. Default: where the job is, which is its"
                            + " newest checkpoint, or where it last rolled back to")
    private String at;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, of.dataset());
                    print(log, of.open(log).start(id, at));
                    return ExitCode.OK;
                });
    }

    private void print(Log log, Session session) {
        long start = session.start().nextStep();
        StepRanges skipped = session.passed().from(start);
        Cursor cursor = Cursor.atStart(session, log);
        output.print(
                Output.object(
                        "dataset",
                        of.dataset(),
                        "job",
                        of.job(),
                        "session",
                        session.id(),
                        "start_step",
                        start,
                        "checkpoint",
                        session.start().checkpoint(),
                        "skips",
                        Output.ranges(skipped),
                        "receipt",
                        cursor.receipt().toHex(),
                        "cursor",
                        cursor.toString()),
                "Session "
                        + session.id()
                        + " of "
                        + of
                        + " starts at "
                        + session.start()
                        + (skipped.isEmpty() ? "" : ", and skips " + skipped));
    }

    @Override
    public String interrupt() {
        return "the session may have started or not; run the same again";
    }
}
