package io.batchweave.sim;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import java.time.Duration;
import java.util.List;

/**
 * A job that starts no session: it makes checkpoints forward and back, releases them, detaches and
 * comes back. In the end it is detached, so that nobody has to wait for it.
 */
record EvaluatorProgram(int moves) implements Program {
    private static final String JOB = "k";

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    for (int i = 0; i < moves; i++) {
                        move(life, log);
                        log.awaitNews(
                                log.state().version(),
                                life.world().deadline(Duration.ofSeconds(1)));
                    }
                    detach(life, log);
                });
    }

    private static void move(Life life, Log log) {
        try {
            Job job = attached(life, log);
            switch (life.choice().of(5)) {
                case 0 -> job.release(any(life, job.state()));
                case 1 -> detachAndSayMore(life, log);
                case 2 -> checkpoint(life, job, job.state().pin().nextStep(), Direction.ROLLBACK);
                default ->
                        checkpoint(life, job, job.state().position().nextStep(), Direction.FORWARD);
            }
        } catch (InvalidRequestException | FencedException e) {
            // It would start at what it wanted to release, or an earlier life of ours detached it.
        }
        life.witness().saw(log.state());
    }

    private static Job attached(Life life, Log log) {
        boolean isAttached = log.catchUp().job(JOB).filter(JobState::isAttached).isPresent();
        long low = log.state().lowStep();
        int kept = (int) (log.state().nextStep() - low);
        return isAttached
                ? new Jobs(log).open(JOB)
                : new Jobs(log).attach(JOB, low + life.choice().of(kept + 1), 2);
    }

    /** Also where it would start, which it may not release. */
    private static String any(Life life, JobState job) {
        List<Position> kept = job.checkpoints();
        return kept.isEmpty() ? "none" : kept.get(life.choice().of(kept.size())).checkpoint();
    }

    private static void checkpoint(Life life, Job job, long first, Direction direction) {
        long step = first + life.choice().of(3);
        String name = "at" + step + "-" + life.choice().of(1_000);
        job.checkpoint(new Saved("", name, step, job.given(step), direction));
    }

    /** Whoever was not told that a job is detached says what must be without effect. */
    private static void detachAndSayMore(Life life, Log log) {
        detach(life, log);
        String attachment = log.state().job(JOB).orElseThrow().attachmentId();
        long step = log.state().nextStep();
        try {
            log.append(
                    List.of(
                            new Checkpoint(
                                    JOB,
                                    attachment,
                                    "",
                                    "late",
                                    step,
                                    log.receiptBefore(step),
                                    true)));
        } catch (FencedException e) {
            return;
        }
        life.witness().demand(false, () -> "a detached job made a checkpoint");
    }

    private static void detach(Life life, Log log) {
        if (log.catchUp().job(JOB).isPresent()) {
            new Jobs(log).detach(JOB);
        }
        life.witness().saw(log.state());
    }
}
