package io.batchweave.retain;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Receipts;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import java.util.List;

/**
 * A training job that is attached to a dataset.
 *
 * <p>Every call here may be repeated: what is in the log already is found there. All throw {@link
 * FencedException} once the job is detached, {@link UnavailableException} if the store does not
 * answer and nothing was said, and {@link CommitUnknownException} if it is not known whether it
 * was; then the same is to be said again.
 */
public final class Job {
    private final Log log;
    private final String name;
    private final String attachmentId;

    Job(Log log, String name, String attachmentId) {
        this.log = log;
        this.name = name;
        this.attachmentId = attachmentId;
    }

    public String name() {
        return name;
    }

    /** What is known of it, as of the last look. */
    public JobState state() {
        return in(log.state());
    }

    private JobState in(State state) {
        return state.job(name)
                .filter(job -> job.attachmentId().equals(attachmentId) && job.isAttached())
                .orElseThrow(() -> new FencedException(text("go on with") + "it was detached"));
    }

    /**
     * Starts a session where the job is: at its newest checkpoint, where its last session started
     * if there is none of that, or where it attached. The first rank that asks starts it, the
     * others find it.
     *
     * @param session what the ranks of this start call it; each restart needs another one
     * @throws FencedException if a later session has started
     */
    public Session start(String session) {
        return start(session, "");
    }

    /**
     * Starts a session at a checkpoint that is kept: where the job is, or further back.
     *
     * @throws InvalidRequestException if there is no such checkpoint, or the session started at
     *     another one
     * @throws FencedException if a later session has started
     */
    public Session start(String session, String checkpoint) {
        StartSession entry = new StartSession(name, attachmentId, session, checkpoint);
        // What we saw last may be a session that was replaced since.
        log.catchUp();
        return in(append(entry)).session().orElseThrow();
    }

    /**
     * The session of this id, which has started.
     *
     * @throws InvalidRequestException if it has not
     * @throws FencedException if a later session has started
     */
    public Session session(String id) {
        JobState job = in(log.catchUp());
        return job.session()
                .filter(latest -> latest.id().equals(id))
                .orElseThrow(() -> unlike(id, job));
    }

    private RuntimeException unlike(String id, JobState job) {
        String latest =
                job.session()
                        .map(session -> "the latest is " + session.id())
                        .orElse("the job has started none");
        return job.formerSessions().contains(id)
                ? new FencedException(
                        text("go on in session " + id + " of") + "it was replaced; " + latest)
                : new InvalidRequestException(
                        text("go on in session " + id + " of")
                                + "it has not started; "
                                + latest
                                + "; start it first");
    }

    /**
     * The receipt of what the job's latest session gives up to a step, or what is published where
     * there is no session.
     *
     * @throws InvalidRequestException if the steps before it are not published
     */
    public Bytes given(long step) {
        State state = log.state().nextStep() < step ? log.catchUp() : log.state();
        if (step < 0 || step > state.nextStep()) {
            throw new InvalidRequestException(
                    text("make a checkpoint of")
                            + "step "
                            + step
                            + " lies beyond what is published, which is "
                            + state.nextStep()
                            + " steps");
        }
        return Receipts.given(log.receiptBefore(step), in(state).passed(step));
    }

    /**
     * Says that all ranks have saved, so that the job can go on there. From then on nothing before
     * the oldest checkpoint that it keeps is needed for it.
     *
     * @throws InvalidRequestException if it lies beyond what is published, or behind the last one
     *     and is no rollback, or behind all that the job keeps; if the receipt is not that of what
     *     the session gives; if another checkpoint has the name; or if it is a rollback to one that
     *     is kept, which only a session goes back to
     * @throws FencedException if the session was replaced
     */
    public Position checkpoint(Saved saved) {
        log.catchUp();
        demandReceipt(saved);
        JobState now = in(append(entry(saved)));
        Position made = now.checkpoint(saved.checkpoint()).orElseThrow();
        if (saved.direction() == Saved.Direction.ROLLBACK && !now.position().equals(made)) {
            // It was in before, and what is in already moves nobody.
            throw new InvalidRequestException(
                    text("roll back")
                            + made
                            + " is there already, and the job is at "
                            + now.position()
                            + "; start a session at it, or make a checkpoint of another name");
        }
        return made;
    }

    private Checkpoint entry(Saved saved) {
        return new Checkpoint(
                name,
                attachmentId,
                saved.session(),
                saved.checkpoint(),
                saved.nextStep(),
                saved.receipt(),
                saved.direction() == Saved.Direction.ROLLBACK);
    }

    /** JOB-2. What names a session that is not the latest is refused by all who apply it. */
    private void demandReceipt(Saved saved) {
        String latest = state().session().map(Session::id).orElse("");
        if (saved.session().equals(latest) && !saved.receipt().equals(given(saved.nextStep()))) {
            throw new InvalidRequestException(
                    text("make checkpoint " + saved.checkpoint() + " of")
                            + "its receipt is "
                            + saved.receipt()
                            + ", and what the session gives up to step "
                            + saved.nextStep()
                            + " has "
                            + given(saved.nextStep())
                            + ": this rank was given something else; start it anew from a"
                            + " checkpoint");
        }
    }

    /**
     * Says that one rank has saved its part. The last one to say so makes the checkpoint; until
     * then nothing is pinned and nothing released (JOB-3).
     *
     * @throws InvalidRequestException as {@link #checkpoint} does, and if ranks disagree about the
     *     step, the world size or the receipt
     * @throws FencedException if the session was replaced
     */
    public Acknowledged acknowledge(Saved saved, Shard shard) {
        JobState now = in(log.catchUp());
        if (now.checkpoint(saved.checkpoint()).isPresent()) {
            now.session()
                    .filter(latest -> latest.id().equals(saved.session()))
                    .map(latest -> new Acknowledgements(log, latest, saved, shard.worldSize()))
                    .ifPresent(Acknowledgements::demandAgreement);
            return new Acknowledged.Complete(checkpoint(saved));
        }
        Session session = session(saved.session());
        demandReceipt(saved);
        demandPossible(saved);
        Acknowledgements all = new Acknowledgements(log, session, saved, shard.worldSize());
        all.add(shard.rank());
        int count = all.count(shard.worldSize());
        return count < shard.worldSize()
                ? new Acknowledged.Waiting(shard.worldSize() - count)
                : new Acknowledged.Complete(checkpoint(saved));
    }

    /** Else nobody but the last rank would hear that there is no such checkpoint to be made. */
    private void demandPossible(Saved saved) {
        State state = log.state();
        Commit commit = new Commit(log.world().newId(), state.time(), "", List.of(entry(saved)));
        state.apply(commit)
                .loss()
                .ifPresent(
                        loss -> {
                            throw new InvalidRequestException(
                                    text("acknowledge a checkpoint of") + loss.why());
                        });
    }

    /**
     * Says that the models of a checkpoint are gone, or no longer wanted.
     *
     * @throws InvalidRequestException if the job would start there
     */
    public void release(String checkpoint) {
        append(new ReleaseCheckpoint(name, attachmentId, checkpoint));
    }

    /** Says that the job needs nothing any more. */
    public void detach() {
        append(new DetachJob(name, attachmentId));
    }

    private State append(Entry entry) {
        return log.append(List.of(entry));
    }

    private String text(String purpose) {
        return "Cannot " + purpose + " job " + name + " of " + log.layout().dataset() + ": ";
    }
}
