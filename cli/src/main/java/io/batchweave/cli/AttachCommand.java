package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.retain.Jobs;
import io.batchweave.state.JobState;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Attaches a job. */
@Command(
        name = "attach",
        mixinStandardHelpOptions = true,
        description = {
            "Attach a training job: every step from its first on is kept until the job has moved on.",
            "A job that is attached already is left as it is; it is an error to ask for another step"
                    + " or number of checkpoints then."
        })
final class AttachCommand implements Callable<Integer>, Interruptible {
    private static final int KEEP = 3;

    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;
    @Mixin private JobOptions of;

    @Option(
            names = "--at",
            paramLabel = "STEP",
            description = "The first step that the job needs. Default: 0")
    private Long at;

    @Option(
            names = "--keep",
            paramLabel = "K",
            description =
                    "How many of its newest checkpoints the job may go back to. Default: " + KEEP)
    private Integer keep;

    @Override
    public Integer call() {
        if (at != null && at < 0) {
            throw new InvalidRequestException("Invalid --at " + at + ": steps count from 0");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, of.dataset());
                    Optional<JobState> known =
                            log.state().job(of.job()).filter(JobState::isAttached);
                    long from = at != null ? at : known.map(this::from).orElse(0L);
                    int kept = keep != null ? keep : known.map(JobState::keep).orElse(KEEP);
                    print(new Jobs(log).attach(of.job(), from, kept).state(), known.isPresent());
                    return ExitCode.OK;
                });
    }

    private long from(JobState job) {
        return job.attached().nextStep();
    }

    private void print(JobState job, boolean isKnown) {
        long step = job.attached().nextStep();
        output.print(
                Output.object(
                        "dataset", of.dataset(),
                        "job", of.job(),
                        "from_step", step,
                        "keep", job.keep(),
                        "since", job.attached().at().toString()),
                isKnown
                        ? "Job %s is attached to %s since %s, from step %d on"
                                .formatted(of.job(), of.dataset(), job.attached().at(), step)
                        : "Attached job %s to %s at step %d; it keeps its newest %s"
                                .formatted(
                                        of.job(),
                                        of.dataset(),
                                        step,
                                        Output.count(job.keep(), "checkpoint", "checkpoints")));
    }

    @Override
    public String interrupt() {
        return "the job may be attached or not; run the same again";
    }
}
