package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.read.Cursor;
import io.batchweave.retain.Acknowledged;
import io.batchweave.retain.Acknowledged.Complete;
import io.batchweave.retain.Acknowledged.Waiting;
import io.batchweave.retain.Job;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.retain.Shard;
import io.batchweave.state.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a checkpoint. */
@Command(
        name = "checkpoint",
        mixinStandardHelpOptions = true,
        description = {
            "Say that the models of a training job are saved, so that it can go on at a step; what only"
                    + " older checkpoints need is not kept any more.",
            "Where each rank saves its own part, each says so with --rank, and the checkpoint is made by"
                    + " the last of them. Saying the same twice is saying it once."
        })
final class CheckpointCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private JobOptions of;

    @Option(
            names = "--step",
            paramLabel = "NEXT",
            description = "The first step that the models have not seen.")
    private Long step;

    @Option(
            names = "--cursor",
            paramLabel = "CURSOR",
            description =
                    "Instead of --step, the cursor after the last step that they have seen (see 'read"
                            + " --json'): then what this rank was given is compared with the log.")
    private String cursor;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "What the job calls it. Default: step-NEXT")
    private String id;

    @Option(
            names = "--session",
            paramLabel = "ID",
            description = "The session that the ranks are in. Default: the job's latest")
    private String session;

    @Option(
            names = "--rank",
            paramLabel = "RANK/SIZE",
            description = "Speak for this rank alone, such as 3/8, and not for all.")
    private String rank;

    @Option(
            names = "--rollback",
            description = "Let it lie behind the last one: the job went back on purpose.")
    private boolean rollback;

    @Override
    public Integer call() {
        if ((step == null) == (cursor == null)) {
            throw new InvalidRequestException(
                    "Cannot make a checkpoint of " + of + ": name --step or --cursor, one of them");
        }
        if (step != null && step < 0) {
            throw new InvalidRequestException("Invalid --step " + step + ": steps count from 0");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, of.dataset());
                    Job job = of.open(log);
                    Saved saved = saved(job);
                    print(
                            saved,
                            rank == null
                                    ? new Complete(job.checkpoint(saved))
                                    : job.acknowledge(saved, Shard.parse(rank)));
                    return ExitCode.OK;
                });
    }

    private Saved saved(Job job) {
        if (cursor == null) {
            String latest = job.state().session().map(Session::id).orElse("");
            return saved(session == null ? latest : session, step, job.given(step));
        }
        Cursor at = Cursor.parse(cursor);
        if (!at.job().isEmpty() && !at.job().equals(of.job())) {
            throw new InvalidRequestException(
                    "Cannot make a checkpoint of "
                            + of
                            + ": the cursor was taken in a session of job "
                            + at.job());
        }
        return saved(session == null ? at.session() : session, at.nextStep(), at.receipt());
    }

    private Saved saved(String inSession, long next, Bytes receipt) {
        return new Saved(
                inSession,
                id == null ? "step-" + next : id,
                next,
                receipt,
                rollback ? Direction.ROLLBACK : Direction.FORWARD);
    }

    private void print(Saved saved, Acknowledged acknowledged) {
        int missing = acknowledged instanceof Waiting waiting ? waiting.missing() : 0;
        String at = saved.checkpoint() + " of " + of + " at step " + saved.nextStep();
        output.print(
                Output.object(
                        "dataset", of.dataset(),
                        "job", of.job(),
                        "checkpoint", saved.checkpoint(),
                        "session", saved.session(),
                        "next_step", saved.nextStep(),
                        "receipt", saved.receipt().toHex(),
                        "complete", missing == 0,
                        "missing_ranks", missing),
                missing == 0
                        ? "Made checkpoint " + at
                        : "Acknowledged checkpoint "
                                + at
                                + ": "
                                + Output.count(missing, "rank is", "ranks are")
                                + " missing");
    }

    @Override
    public String interrupt() {
        return "the checkpoint may be made or not; run the same again";
    }
}
