package io.batchweave.sim;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.OfJob;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.StepRange;
import io.batchweave.state.JobState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A second opinion on jobs: the rules APPLY-10 to 16 in the plainest way there is. Sets of steps
 * are sets of numbers, and everything that ever counted is kept.
 */
final class JobModel {
    /** No simulation has so many steps. */
    static final long HORIZON = 64;

    /** In place of a step where no job is attached. */
    static final long NOBODY = -1;

    private final Map<String, Job> jobs = new TreeMap<>();
    private final Set<Long> skipped = new TreeSet<>();
    private final Map<String, Run> runs = new HashMap<>();
    private long maxLead;

    /** A place to start at. */
    record Place(String checkpoint, long next, Bytes receipt, Set<Long> passed) {}

    /** A session that counted; ids may come again when a job comes back, versions do not. */
    record Run(String id, Place start, Set<Long> passed, long version) {}

    private static final class Job {
        private final String attachmentId;
        private final int keep;
        private final List<Run> runs = new ArrayList<>();
        private final List<Place> kept = new ArrayList<>();
        private final Set<Long> passed;
        private Place position;
        private boolean attached = true;

        Job(AttachJob entry) {
            attachmentId = entry.attachmentId();
            keep = entry.keep();
            passed = steps(new StepRange(0, HORIZON), entry.fromStep());
            position = new Place("", entry.fromStep(), Bytes.EMPTY, passed);
        }

        String session() {
            return runs.isEmpty() ? "" : runs.get(runs.size() - 1).id();
        }

        /** The first step that it is still to be given. */
        long wanted() {
            long wanted = position.next();
            while (!runs.isEmpty() && runs.get(runs.size() - 1).passed().contains(wanted)) {
                wanted++;
            }
            return wanted;
        }

        boolean keeps(String checkpoint) {
            return kept.stream().anyMatch(place -> place.checkpoint().equals(checkpoint));
        }

        long pin() {
            return LongStream.concat(
                            LongStream.of(position.next()), kept.stream().mapToLong(Place::next))
                    .min()
                    .orElseThrow();
        }
    }

    /** Those of a range that are below {@code end}. */
    private static Set<Long> steps(StepRange range, long end) {
        Set<Long> steps = new TreeSet<>();
        for (long step = range.first(); step <= range.last() && step < end; step++) {
            steps.add(step);
        }
        return steps;
    }

    /** What a session passes over, and where it started. */
    Run run(String job, long version) {
        return runs.get(job + " " + version);
    }

    void apply(long version, Entry entry, long head, long lowStep) {
        if (entry instanceof AttachJob attaching) {
            attach(attaching, head, lowStep);
        } else if (entry instanceof OfJob said) {
            Job job = jobs.get(said.job());
            if (job != null && job.attached && job.attachmentId.equals(said.attachmentId())) {
                apply(version, said, job, head);
            }
        } else if (entry instanceof Skip skip) {
            if (skip.steps().first() >= lowestPin()) {
                skipped.addAll(steps(skip.steps(), HORIZON));
            }
        } else if (entry instanceof Unskip unskip) {
            skipped.removeAll(steps(unskip.steps(), HORIZON));
        } else if (entry instanceof Alter alter) {
            alter.settings().stream()
                    .filter(MaxLead.class::isInstance)
                    .forEach(setting -> maxLead = ((MaxLead) setting).steps());
        }
    }

    private void attach(AttachJob entry, long head, long lowStep) {
        Job known = jobs.get(entry.job());
        boolean isKnown = known != null && known.attachmentId.equals(entry.attachmentId());
        if (!isKnown
                && (known == null || !known.attached)
                && entry.fromStep() <= head
                && entry.fromStep() >= lowStep) {
            jobs.put(entry.job(), new Job(entry));
        }
    }

    private void apply(long version, OfJob entry, Job job, long head) {
        long before = job.pin();
        if (entry instanceof StartSession start) {
            start(version, start, job);
        } else if (entry instanceof Checkpoint checkpoint) {
            checkpoint(checkpoint, job, head);
        } else if (entry instanceof ReleaseCheckpoint release) {
            boolean isWhereItStarts = job.position.checkpoint().equals(release.checkpoint());
            job.kept.removeIf(
                    place -> !isWhereItStarts && place.checkpoint().equals(release.checkpoint()));
        } else {
            job.attached = false;
            job.kept.clear();
            job.runs.clear();
        }
        Violation.unless(
                job.pin() >= before,
                () -> "a pin fell from %d to %d by %s".formatted(before, job.pin(), entry));
    }

    private void start(long version, StartSession entry, Job job) {
        boolean isKnown =
                job.runs.stream()
                        .skip(Math.max(0, job.runs.size() - 1 - JobState.FORMER_SESSIONS_MAX))
                        .anyMatch(run -> run.id().equals(entry.session()));
        boolean isSecond =
                !job.runs.isEmpty() && job.runs.get(job.runs.size() - 1).version() == version;
        boolean isElsewhere = !entry.from().isEmpty();
        if (isKnown || isSecond || (isElsewhere && !job.keeps(entry.from()))) {
            return;
        }
        if (isElsewhere) {
            job.position =
                    job.kept.stream()
                            .filter(place -> place.checkpoint().equals(entry.from()))
                            .findFirst()
                            .orElseThrow();
        }
        Set<Long> passed = new TreeSet<>(job.position.passed());
        skipped.stream().filter(step -> step >= job.position.next()).forEach(passed::add);
        Run run = new Run(entry.session(), job.position, passed, version);
        job.runs.add(run);
        runs.put(entry.job() + " " + version, run);
    }

    private void checkpoint(Checkpoint entry, Job job, long head) {
        if (job.keeps(entry.checkpoint())
                || !entry.session().equals(job.session())
                || entry.nextStep() > head
                || (entry.nextStep() < job.position.next() && !entry.rollback())
                || entry.nextStep() < job.pin()) {
            return;
        }
        Set<Long> passed = new TreeSet<>(job.runs.isEmpty() ? job.passed : last(job).passed());
        passed.removeIf(step -> step >= entry.nextStep());
        job.position = new Place(entry.checkpoint(), entry.nextStep(), entry.receipt(), passed);
        job.kept.add(job.position);
        if (job.kept.size() > job.keep) {
            job.kept.remove(0);
        }
    }

    private static Run last(Job job) {
        return job.runs.get(job.runs.size() - 1);
    }

    /** What is known of a job, as far as it fits a line. */
    record Known(
            boolean attached,
            long pin,
            Position position,
            List<Position> kept,
            String session,
            Set<Long> passed) {
        Known {
            kept = List.copyOf(kept);
            passed = Set.copyOf(passed);
        }
    }

    /** The name of a place, and the next step there. */
    record Position(String checkpoint, long next) {
        static Position of(Place place) {
            return new Position(place.checkpoint(), place.next());
        }
    }

    /** What attached jobs hold back: what is deleted, and how far producers go. */
    record Bounds(long lowestPin, long slowest, long maxLead) {}

    Bounds bounds() {
        return new Bounds(lowestPin(), lowest(Job::wanted), maxLead);
    }

    /** The first step that must be kept: what attached jobs pin, or nothing if there were some. */
    long neededFrom(long head) {
        long lowest = lowestPin();
        return jobs.isEmpty() ? 0 : lowest == NOBODY ? head : Math.min(lowest, head);
    }

    private long lowestPin() {
        return lowest(Job::pin);
    }

    /** The lowest over all attached jobs; where there is none, below all steps. */
    private long lowest(ToLongFunction<Job> bound) {
        return jobs.values().stream()
                .filter(job -> job.attached)
                .mapToLong(bound)
                .min()
                .orElse(NOBODY);
    }

    Map<String, Known> known() {
        Map<String, Known> known = new TreeMap<>();
        jobs.forEach(
                (name, job) ->
                        known.put(
                                name,
                                new Known(
                                        job.attached,
                                        job.pin(),
                                        Position.of(job.position),
                                        job.kept.stream().map(Position::of).toList(),
                                        job.session(),
                                        job.runs.isEmpty() ? job.passed : last(job).passed())));
        return known;
    }

    Set<Long> skipped() {
        return new HashSet<>(skipped);
    }
}
