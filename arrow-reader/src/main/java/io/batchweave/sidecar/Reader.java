package io.batchweave.sidecar;

import io.batchweave.errors.FencedException;
import io.batchweave.log.Log;
import io.batchweave.read.Course;
import io.batchweave.read.Cursor;
import io.batchweave.read.Delivery;
import io.batchweave.read.Place;
import io.batchweave.read.Start;
import io.batchweave.sidecar.arena.ArenaStep;
import io.batchweave.state.JobState;
import io.batchweave.state.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One rank, or one worker of its data loader, and what it is given. Used by one thread. */
final class Reader implements AutoCloseable {
    private final long number;
    private final Ask ask;
    private final Log log;
    private final Place place;
    private final Start start;
    private final Pace pace;
    private final Delivery<ArenaStep> delivery;
    private final Waits waits = new Waits();
    private volatile long nextStep;
    private volatile boolean isFresh = true;
    private Optional<Cursor> cursor;
    private ArenaStep held;

    Reader(
            long number,
            Ask ask,
            Log log,
            Place place,
            Start start,
            Pace pace,
            Delivery<ArenaStep> delivery) {
        this.number = number;
        this.ask = ask;
        this.log = log;
        this.place = place;
        this.start = start;
        this.pace = pace;
        this.delivery = delivery;
        this.nextStep = delivery.nextStep();
        this.cursor = start.cursor(log);
    }

    /** Which reader of this sidecar it is. */
    long number() {
        return number;
    }

    Log log() {
        return log;
    }

    Place place() {
        return place;
    }

    Ask ask() {
        return ask;
    }

    Pace pace() {
        return pace;
    }

    Waits waits() {
        return waits;
    }

    private Course course() {
        return start.course();
    }

    String session() {
        return course().session();
    }

    String job() {
        return course().job();
    }

    long stepOpened() {
        return start.step();
    }

    long nextStep() {
        return nextStep;
    }

    /** Whether it shares the steps of its rank with others. */
    boolean isWorker() {
        return ask.turn().of() > 1;
    }

    /** Whether it was given nothing yet. */
    boolean isFresh() {
        return isFresh;
    }

    /** Where to go on; empty where it starts before the steps up to there are all published. */
    Optional<Cursor> cursor() {
        return cursor;
    }

    boolean isOf(String datasetId, String job) {
        return course().datasetId().equals(datasetId) && course().job().equals(job);
    }

    /** Whether the two are ranks of one session. */
    boolean isTogetherWith(Reader other) {
        return !session().isEmpty()
                && isOf(other.course().datasetId(), other.job())
                && session().equals(other.session());
    }

    /** What readers that are given the same have in common. */
    Object shared() {
        return List.of(course().datasetId(), course().session(), place.slices(), ask.turn());
    }

    /**
     * Gives back the step before, and waits for the next one; empty at the end of the data.
     *
     * @return what lives until the next call
     * @throws FencedException if its session was replaced, as far as the log was read
     */
    Optional<ArenaStep> next(Duration wait) {
        giveBack();
        demandLatestSession();
        Instant asked = log.world().clock().instant();
        pace.asked(asked);
        Optional<ArenaStep> next = delivery.next(wait);
        Instant now = log.world().clock().instant();
        next.ifPresent(
                step -> {
                    held = step;
                    cursor = Optional.of(step.cursor());
                    isFresh = false;
                    nextStep = delivery.nextStep();
                    pace.delivered(now, step.bytes());
                    waits.add(Duration.between(asked, now), step.bytes());
                });
        return next;
    }

    /** Who is still at work when a later session has started was forgotten, and is to stop. */
    private void demandLatestSession() {
        Optional<String> latest =
                log.state()
                        .job(job())
                        .flatMap(JobState::session)
                        .map(Session::id)
                        .filter(id -> !id.equals(session()));
        if (!session().isEmpty() && latest.isPresent()) {
            throw new FencedException(
                    "Cannot go on in session %s of job %s of %s: session %s has started since; stop"
                            .formatted(session(), job(), log.layout().dataset(), latest.get()));
        }
    }

    /** Lets go of what was fetched ahead; any thread may say so. */
    void makeRoom() {
        delivery.drop();
    }

    private void giveBack() {
        if (held != null) {
            held.close();
            held = null;
        }
    }

    /** Who it is for the others, such as {@code rank dp=0/2 of train.pretrain (process 123)}. */
    String who() {
        return "rank " + this + ask.process().map(" (process %d)"::formatted).orElse("");
    }

    /** Such as {@code dp=0/2 of train.pretrain}. */
    @Override
    public String toString() {
        return place.text() + " of " + log.layout().dataset();
    }

    @Override
    public void close() {
        giveBack();
        delivery.close();
    }
}
