package io.batchweave.sim;

import io.batchweave.errors.FencedException;
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
import io.batchweave.state.Session;
import java.time.Duration;
import java.util.Optional;

/** One rank of a training job: reads in sessions, saves after each step, and says so. */
final class RankProgram implements Program {
    private static final String JOB = "j";
    private static final int KEEP = 2;
    private static final int SESSIONS_MAX = 20;
    private static final Duration STORMY_WAIT = Duration.ofSeconds(5);
    private static final Duration CALM_WAIT = Duration.ofDays(3);

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
                    launcher.restart();
                    Log log = life.openLog();
                    Job job = new Jobs(log).attach(JOB, 0, KEEP);
                    boolean isAtTheEnd = false;
                    for (int i = 0; i < SESSIONS_MAX && !isAtTheEnd; i++) {
                        isAtTheEnd = train(life, log, job, launcher.session());
                    }
                });
    }

    /** Whether it came to the end of the data; else another session has started. */
    private boolean train(Life life, Log log, Job job, String id) {
        try {
            Session session = job.start(id);
            life.witness().saw(log.state());
            try (StepReader reader = open(life, log, session)) {
                read(life, log, job, session, reader);
            }
            return true;
        } catch (FencedException e) {
            if (id.equals(launcher.session())) {
                // An older start came late to its session.
                launcher.restart();
            }
            return false;
        }
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
        Optional<StepBatch> next = reader.next(life.isCalm() ? CALM_WAIT : STORMY_WAIT);
        while (next.isPresent()) {
            Cursor cursor;
            try (StepBatch batch = next.get()) {
                cursor = batch.cursor();
                life.witness().given(session.id(), expected, cursor);
                expected = cursor.nextStep();
            }
            save(life, job, session, cursor);
            life.witness().saw(log.state());
            next = reader.next(life.isCalm() ? CALM_WAIT : STORMY_WAIT);
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
