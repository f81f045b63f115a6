package io.batchweave.state;

import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.OfJob;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pcollections.PSortedMap;

/** What readers and operators say in one commit, being applied. */
final class JobTransition {
    private final long version;
    private final Instant now;
    private Settings settings;
    private PSortedMap<String, JobState> jobs;
    private Skips skips;

    JobTransition(State before, long version, Instant now) {
        this.version = version;
        this.now = now;
        this.settings = before.settings();
        this.jobs = before.jobs();
        this.skips = before.skips();
    }

    Settings settings() {
        return settings;
    }

    PSortedMap<String, JobState> jobs() {
        return jobs;
    }

    Skips skips() {
        return skips;
    }

    /**
     * Applies an entry, if it is one of these.
     *
     * @param head steps that are published
     * @param kept of which of them payload is there
     */
    Optional<Verdict> apply(Entry entry, long head, Kept kept) {
        if (entry instanceof AttachJob attaching) {
            return Optional.of(attach(attaching, head, kept.lowStep()));
        }
        if (entry instanceof OfJob said) {
            return Optional.of(isRepeatedDetach(said) ? detachedAlready(said) : ofJob(said, head));
        }
        if (entry instanceof Skip skip) {
            return Optional.of(skip(skip.steps(), skip.reason()));
        }
        if (entry instanceof Unskip unskip) {
            return Optional.of(unskip(unskip.steps()));
        }
        return entry instanceof Alter alter ? Optional.of(alter(alter)) : Optional.empty();
    }

    private Verdict attach(AttachJob entry, long head, long lowStep) {
        JobState known = jobs.get(entry.job());
        if (known != null && known.attachmentId().equals(entry.attachmentId())) {
            return new Ignored(
                    Reason.ALREADY_IN,
                    "job " + entry.job() + " attached by this at version " + known.version());
        }
        if (known != null && known.isAttached()) {
            return new Ignored(
                    Reason.UNFIT,
                    "job "
                            + entry.job()
                            + " is attached since "
                            + known.attached().at()
                            + ", from step "
                            + known.attached().nextStep()
                            + " on, and keeps "
                            + known.keep()
                            + (known.keep() == 1 ? " checkpoint" : " checkpoints")
                            + "; detach it before it attaches anew");
        }
        if (entry.fromStep() > head) {
            return new Ignored(Reason.UNFIT, beyond("step " + entry.fromStep(), head));
        }
        if (entry.fromStep() < lowStep) {
            return new Ignored(
                    Reason.UNFIT,
                    "the payload of step "
                            + entry.fromStep()
                            + " is swept; the first step that is kept is "
                            + lowStep
                            + "; attach there, or later");
        }
        jobs = jobs.plus(entry.job(), JobState.attached(entry, version, now));
        return new Accepted();
    }

    private boolean isRepeatedDetach(OfJob entry) {
        JobState known = jobs.get(entry.job());
        return entry instanceof DetachJob
                && known != null
                && known.attachmentId().equals(entry.attachmentId())
                && !known.isAttached();
    }

    private static Verdict detachedAlready(OfJob entry) {
        return new Ignored(Reason.ALREADY_IN, "job " + entry.job() + " is detached");
    }

    private Verdict ofJob(OfJob entry, long head) {
        String name = entry.job();
        JobState job = jobs.get(name);
        if (job == null) {
            return new Ignored(Reason.UNFIT, "job " + name + " never attached; attach it first");
        }
        if (!job.attachmentId().equals(entry.attachmentId())) {
            return new Ignored(
                    Reason.FENCED, "job " + name + " attached anew at version " + job.version());
        }
        if (!job.isAttached()) {
            return new Ignored(
                    Reason.ENDED, "job " + name + " was detached; attach it again to go on");
        }
        if (entry instanceof StartSession start) {
            return start(start, job);
        }
        if (entry instanceof Checkpoint checkpoint) {
            return checkpoint(checkpoint, job, head);
        }
        if (entry instanceof ReleaseCheckpoint release) {
            return release(release, job);
        }
        return changed(name, job.detached());
    }

    private Verdict changed(String name, JobState job) {
        jobs = jobs.plus(name, job);
        return new Accepted();
    }

    private Verdict start(StartSession entry, JobState job) {
        Optional<Session> latest = job.session();
        if (latest.isPresent() && latest.get().id().equals(entry.session())) {
            return startedAlready(entry, latest.get());
        }
        if (job.formerSessions().contains(entry.session())) {
            return new Ignored(Reason.FENCED, replaced(entry.job(), entry.session(), job));
        }
        if (latest.isPresent() && latest.get().version() == version) {
            return new Ignored(Reason.FENCED, "another session started in the same commit");
        }
        Optional<Position> start =
                entry.from().isEmpty() ? Optional.of(job.position()) : job.checkpoint(entry.from());
        if (start.isEmpty()) {
            return new Ignored(
                    Reason.UNFIT,
                    "job " + entry.job() + " keeps no checkpoint " + entry.from() + kept(job));
        }
        long step = start.get().nextStep();
        StepRanges passed = start.get().passed().and(skips.steps().from(step));
        return changed(
                entry.job(),
                job.started(
                        new Session(
                                entry.job(), entry.session(), start.get(), passed, version, now)));
    }

    private static Verdict startedAlready(StartSession entry, Session session) {
        String text = "session " + session.id() + " of job " + session.job() + " ";
        return entry.from().isEmpty() || entry.from().equals(session.start().checkpoint())
                ? new Ignored(Reason.ALREADY_IN, text + "started at version " + session.version())
                : new Ignored(
                        Reason.UNFIT,
                        text
                                + "started at "
                                + session.start()
                                + ", and not at checkpoint "
                                + entry.from()
                                + "; give a start of its own another id");
    }

    private static String kept(JobState job) {
        return job.checkpoints().isEmpty()
                ? "; it keeps none"
                : job.checkpoints().stream()
                        .map(Position::checkpoint)
                        .collect(Collectors.joining(", ", "; it keeps ", ""));
    }

    private Verdict checkpoint(Checkpoint entry, JobState job, long head) {
        String text = "checkpoint " + entry.checkpoint() + " of job " + entry.job();
        Optional<Position> same = job.checkpoint(entry.checkpoint());
        if (same.isPresent()) {
            return isSame(entry, same.get())
                    ? new Ignored(Reason.ALREADY_IN, text + " is in")
                    : new Ignored(
                            Reason.UNFIT,
                            "%s is at step %d with the receipt %s, and not at step %d with %s"
                                    .formatted(
                                            text,
                                            same.get().nextStep(),
                                            same.get().receipt(),
                                            entry.nextStep(),
                                            entry.receipt()));
        }
        if (!entry.session().equals(job.session().map(Session::id).orElse(""))) {
            return new Ignored(Reason.FENCED, replaced(entry.job(), entry.session(), job));
        }
        if (entry.nextStep() > head) {
            return new Ignored(Reason.UNFIT, beyond(text, head));
        }
        if (entry.nextStep() < job.position().nextStep() && !entry.rollback()) {
            return new Ignored(
                    Reason.UNFIT,
                    text
                            + " at step "
                            + entry.nextStep()
                            + " lies behind "
                            + job.position()
                            + "; say that it is a rollback, or start a session at an older checkpoint");
        }
        if (entry.nextStep() < job.pin().nextStep()) {
            return new Ignored(
                    Reason.UNFIT,
                    text
                            + " at step "
                            + entry.nextStep()
                            + " lies behind all that the job still pins, from "
                            + job.pin()
                            + " on");
        }
        return changed(
                entry.job(),
                job.checkpointed(
                        new Position(
                                entry.checkpoint(),
                                entry.nextStep(),
                                entry.receipt(),
                                job.passed(entry.nextStep()),
                                now)));
    }

    private static boolean isSame(Checkpoint entry, Position position) {
        return entry.nextStep() == position.nextStep()
                && entry.receipt().equals(position.receipt());
    }

    private static String replaced(String name, String session, JobState job) {
        String latest =
                job.session()
                        .map(other -> "it is in session " + other.id())
                        .orElse("it has started none");
        return session.isEmpty()
                ? "job " + name + " needs a session to be named: " + latest
                : "session " + session + " of job " + name + " is not its latest: " + latest;
    }

    private Verdict release(ReleaseCheckpoint entry, JobState job) {
        String text = "job " + entry.job();
        if (job.checkpoint(entry.checkpoint()).isEmpty()) {
            return new Ignored(
                    Reason.ALREADY_IN, text + " keeps no checkpoint " + entry.checkpoint());
        }
        if (job.position().checkpoint().equals(entry.checkpoint())) {
            return new Ignored(
                    Reason.UNFIT,
                    text
                            + " would start at checkpoint "
                            + entry.checkpoint()
                            + "; make another one, start a session at an older one, or detach the"
                            + " job before");
        }
        return changed(entry.job(), job.released(entry.checkpoint()));
    }

    private Verdict skip(StepRange steps, String reason) {
        Skips more = skips.with(steps, reason, now);
        if (more.equals(skips)) {
            return new Ignored(Reason.ALREADY_IN, "steps " + steps + " are skipped");
        }
        Optional<Pin> lowest = Pin.lowest(jobs);
        if (lowest.isPresent() && steps.first() < lowest.get().step()) {
            return new Ignored(
                    Reason.UNFIT,
                    "steps "
                            + steps
                            + " begin behind "
                            + lowest.get().position()
                            + " of job "
                            + lowest.get().job()
                            + ", and no job can start before it"
                            + (lowest.get().position().checkpoint().isEmpty()
                                    ? ""
                                    : ": its model has seen them"));
        }
        return skipping(more);
    }

    private Verdict unskip(StepRange steps) {
        Skips fewer = skips.without(steps);
        return fewer.equals(skips)
                ? new Ignored(Reason.ALREADY_IN, "steps " + steps + " are not skipped")
                : skipping(fewer);
    }

    private Verdict skipping(Skips changed) {
        if (changed.records().size() > Skips.RECORDS_MAX) {
            return new Ignored(
                    Reason.UNFIT,
                    "that makes more than " + Skips.RECORDS_MAX + " ranges of skipped steps");
        }
        skips = changed;
        return new Accepted();
    }

    private Verdict alter(Alter entry) {
        Settings changed = settings.with(entry.settings());
        if (changed.equals(settings)) {
            return new Ignored(Reason.ALREADY_IN, "the dataset has these settings");
        }
        settings = changed;
        return new Accepted();
    }

    private static String beyond(String what, long head) {
        return what + " lies beyond what is published, which is " + head + " steps";
    }
}
