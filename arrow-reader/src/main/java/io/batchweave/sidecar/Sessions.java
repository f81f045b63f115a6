package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.read.Cursor;
import io.batchweave.read.Start;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Session;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a reader of a job starts: in which session, at which step. */
final class Sessions {
    /** So many checkpoints a job keeps that nobody attached by hand. */
    private static final int KEEP = 3;

    private final Log log;
    private final Jobs jobs;

    Sessions(Log log) {
        this.log = log;
        this.jobs = new Jobs(log);
    }

    /** Where a reader starts that is of no job, unless its cursor is. */
    Start withoutJob(Ask ask) {
        if (ask.cursor().isEmpty()) {
            return Start.at(ask.from().orElse(log.state().lowStep()), log);
        }
        Cursor cursor = ask.cursor().get();
        return cursor.isOfASession()
                ? Start.of(jobs.open(cursor.job()).session(cursor.session()), cursor, log)
                : Start.of(cursor, log);
    }

    /**
     * Where a reader of a job starts: in this session, which is started if it was not.
     *
     * @throws io.batchweave.errors.FencedException if a later session has started
     */
    Start in(String session, String name, Ask ask) {
        Job job = attached(name, ask);
        Session found = started(job, session, ask.cursor());
        return ask.cursor().isPresent()
                ? Start.of(found, ask.cursor().get(), log)
                : Start.of(found, log);
    }

    /** Attaches a job that never was; one that was detached stays so. */
    private Job attached(String name, Ask ask) {
        if (log.catchUp().job(name).isPresent()) {
            return jobs.open(name);
        }
        long from = ask.cursor().map(Cursor::nextStep).or(ask::from).orElse(log.state().lowStep());
        return jobs.attach(name, from, KEEP);
    }

    private Session started(Job job, String id, Optional<Cursor> cursor) {
        JobState now = job.state();
        boolean isThere = now.session().filter(latest -> latest.id().equals(id)).isPresent();
        if (isThere || now.formerSessions().contains(id)) {
            return job.session(id);
        }
        return cursor.map(at -> job.start(id, checkpoint(job, at))).orElseGet(() -> job.start(id));
    }

    /**
     * The job's checkpoint where a cursor lies, or one that is made there: who goes on from a
     * cursor has saved a model with it.
     */
    private String checkpoint(Job job, Cursor cursor) {
        JobState now = job.state();
        Optional<Position> kept =
                Stream.concat(Stream.of(now.position()), now.checkpoints().stream())
                        .filter(position -> position.nextStep() == cursor.nextStep())
                        .findFirst();
        if (kept.isPresent()) {
            // Whether it fits is checked against the session that starts there.
            return kept.get().equals(now.position()) ? "" : kept.get().checkpoint();
        }
        String latest = now.session().map(Session::id).orElse("");
        if (!cursor.job().equals(job.name()) || !cursor.session().equals(latest)) {
            throw new InvalidRequestException(
                    "Cannot go on at step %d with job %s of %s: the job keeps no checkpoint there, and session '%s', in which the cursor was taken, is not its latest ('%s'); start at one of its checkpoints, or with a cursor of the latest"
                            .formatted(
                                    cursor.nextStep(),
                                    job.name(),
                                    log.layout().dataset(),
                                    cursor.session(),
                                    latest));
        }
        String name = "step-" + cursor.nextStep();
        job.checkpoint(
                new Saved(
                        latest,
                        name,
                        cursor.nextStep(),
                        cursor.receipt(),
                        Saved.Direction.FORWARD));
        return name;
    }
}
