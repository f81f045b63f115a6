package io.batchweave.retain;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.state.JobState;
import java.util.List;
import java.util.Optional;

/** The training jobs of one dataset. */
public final class Jobs {
    private final Log log;

    public Jobs(Log log) {
        this.log = log;
    }

    /**
     * Attaches a job: from now on, no step from {@code fromStep} on is deleted before the job has
     * moved on. Of many that attach the same job alike, one does and the others find it.
     *
     * @param keep how many of its newest checkpoints the job may go back to
     * @throws InvalidRequestException if it is attached otherwise, or the step is not published
     */
    public Job attach(String name, long fromStep, int keep) {
        AttachJob entry = new AttachJob(name, log.world().newId(), fromStep, keep);
        Optional<Job> found = attachedAlike(entry);
        if (found.isPresent()) {
            return found.get();
        }
        try {
            log.append(List.of(entry));
            return new Job(log, name, entry.attachmentId());
        } catch (InvalidRequestException e) {
            // Another rank may have attached it between our look and our offer.
            return attachedAlike(entry).orElseThrow(() -> e);
        }
    }

    private Optional<Job> attachedAlike(AttachJob entry) {
        return log.catchUp()
                .job(entry.job())
                .filter(job -> job.isAttached() && job.keep() == entry.keep())
                .filter(job -> job.attached().nextStep() == entry.fromStep())
                .map(job -> new Job(log, entry.job(), job.attachmentId()));
    }

    /**
     * A job that is attached.
     *
     * @throws InvalidRequestException if it never attached
     * @throws FencedException if it was detached
     */
    public Job open(String name) {
        JobState job =
                log.catchUp()
                        .job(name)
                        .orElseThrow(
                                () ->
                                        new InvalidRequestException(
                                                text(name)
                                                        + "it never attached; attach it first, or"
                                                        + " check its name"));
        if (!job.isAttached()) {
            throw new FencedException(text(name) + "it was detached; attach it again to go on");
        }
        return new Job(log, name, job.attachmentId());
    }

    /**
     * Says that a job needs nothing any more; nothing is done if it is detached already.
     *
     * @throws InvalidRequestException if it never attached
     */
    public void detach(String name) {
        if (log.catchUp().job(name).map(JobState::isAttached).orElse(true)) {
            open(name).detach();
        }
    }

    private String text(String name) {
        return "Cannot go on with job "
                + name
                + " of "
                + log.layout().dataset()
                + " in "
                + log.store().uri()
                + ": ";
    }
}
