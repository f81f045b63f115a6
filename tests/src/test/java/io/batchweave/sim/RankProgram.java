package io.batchweave.sim;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.read.Cursor;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.retain.Acknowledged;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.retain.Shard;
import io.batchweave.sim.Launcher.Start;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Session;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One rank of a training job: reads in sessions, saves after each step, and says so. The first one
 * deletes models now and then. A job that was detached comes back where its models are.
 */
final class RankProgram implements Program {
    static final String JOB = "j";

    private static final int KEEP = 2;
    private static final int SESSIONS_MAX = 20;
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final int rank;
    private final Launcher launcher;

    RankProgram(int rank, Launcher launcher) {
        this.rank = rank;
        this.launcher = launcher;
    }

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    launcher.restart("");
                    Log log = life.openLog();
                    boolean isAtTheEnd = false;
                    for (int i = 0; i < SESSIONS_MAX && !isAtTheEnd; i++) {
                        isAtTheEnd = train(life, log);
                    }
                    Violation.unless(
                            isAtTheEnd || !life.isCalm(),
                            () -> "rank " + rank + " never came to the end");
                });
    }

    /** Whether it came to the end of the data; else the job starts again. */
    private boolean train(Life life, Log log) {
        Start start = launcher.start();
        try {
            Job job = attached(log);
            start = launcher.start();
            Session session = session(job, start);
            life.witness().saw(log.state());
            try (StepReader reader = open(life, log, session)) {
                read(life, log, job, session, reader);
            }
            return true;
        } catch (FencedException e) {
            // An older start came late to its session, or the job was detached.
            if (start.equals(launcher.start())) {
                launcher.restart(perhapsOlder(life, log));
            }
            return false;
        }
    }

    /** A job that comes back begins where its models are, and no rank goes on as before. */
    private Job attached(Log log) {
        Jobs jobs = new Jobs(log);
        while (log.catchUp().job(JOB).filter(JobState::isAttached).isEmpty()) {
            launcher.restart("");
            try {
                jobs.attach(JOB, Math.max(launcher.furthest(), log.state().lowStep()), KEEP);
            } catch (InvalidRequestException e) {
                // Another rank attached it meanwhile, or what it wanted was swept.
            }
        }
        return jobs.open(JOB);
    }

    private static Session session(Job job, Start start) {
        try {
            return job.start(start.session(), start.from());
        } catch (InvalidRequestException e) {
            if (start.from().isEmpty() || job.state().checkpoint(start.from()).isPresent()) {
                throw e;
            }
            throw new FencedException(e.getMessage());
        }
    }

    /** A checkpoint to go back to, now and then. */
    private static String perhapsOlder(Life life, Log log) {
        List<Position> kept = log.state().job(JOB).map(JobState::checkpoints).orElse(List.of());
        return kept.isEmpty() || !life.happens(3)
                ? ""
                : kept.get(life.choice().of(kept.size())).checkpoint();
    }

    private StepReader open(Life life, Log log, Session session) {
        Place place =
                Place.parse("dp=" + rank + "/" + launcher.ranks(), log.state().dataset().grid());
        String checkpoint = session.start().checkpoint();
        return checkpoint.isEmpty()
                ? StepReader.open(
                        log, place, session, ReadLimits.DEFAULT, life.allocator(), life.executor())
                : StepReader.resume(
                        log,
                        place,
                        session,
                        launcher.load(checkpoint, rank),
                        ReadLimits.DEFAULT,
                        life.allocator(),
                        life.executor());
    }

    private void read(Life life, Log log, Job job, Session session, StepReader reader) {
        long expected = session.start().nextStep();
        Optional<StepBatch> next = next(life, session, reader);
        while (next.isPresent()) {
            Cursor cursor;
            try (StepBatch batch = next.get()) {
                cursor = batch.cursor();
                life.witness().given(session, expected, cursor);
                expected = cursor.nextStep();
            }
            save(life, job, session, cursor);
            life.witness().saw(log.state());
            if (rank == 0 && life.happens(4)) {
                release(life, log, job);
            }
            next = next(life, session, reader);
        }
    }

    /** Who waits in a session that was replaced keeps those waiting who are in the next one. */
    private Optional<StepBatch> next(Life life, Session session, StepReader reader) {
        while (true) {
            Deadline deadline = life.world().deadline(WAIT);
            try {
                return reader.next(WAIT);
            } catch (UnavailableException e) {
                if (!life.isCalm() || deadline.remains()) {
                    throw e;
                }
            }
            if (!launcher.start().session().equals(session.id())) {
                throw new FencedException("the job has started again");
            }
        }
    }

    /** Models are deleted once the job cannot start there any more, and no sooner. */
    private void release(Life life, Log log, Job job) {
        List<Position> kept = job.state().checkpoints();
        if (!kept.isEmpty()) {
            String checkpoint = kept.get(life.choice().of(kept.size())).checkpoint();
            try {
                job.release(checkpoint);
                launcher.delete(checkpoint);
            } catch (InvalidRequestException e) {
                // The job would start there.
            }
            life.witness().saw(log.state());
        }
    }

    private void save(Life life, Job job, Session session, Cursor cursor) {
        String checkpoint = session.id() + "-" + cursor.nextStep();
        launcher.save(checkpoint, rank, cursor);
        Saved saved =
                new Saved(
                        session.id(),
                        checkpoint,
                        cursor.nextStep(),
                        cursor.receipt(),
                        Direction.FORWARD);
        Acknowledged said = job.acknowledge(saved, new Shard(rank, launcher.ranks()));
        life.witness()
                .demand(
                        said instanceof Acknowledged.Waiting || launcher.isWhole(checkpoint),
                        () -> "checkpoint " + checkpoint + " was made, and a rank had not saved");
    }
}
