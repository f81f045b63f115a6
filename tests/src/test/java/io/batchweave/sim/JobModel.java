package io.batchweave.sim;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.OfJob;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.StepRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * A second opinion on jobs: the rules APPLY-10, 12, 13 and 15 in the plainest way there is. Sets of
 * steps are sets of numbers, and everything that ever counted is kept.
 */
final class JobModel {
    /** No simulation has so many steps. */
    static final long HORIZON = 64;

    private final Map<String, Job> jobs = new TreeMap<>();
    private final Set<Long> skipped = new TreeSet<>();
    private final Map<String, Run> runs = new HashMap<>();

    /** A place to start at. */
    record Place(String checkpoint, long next, Bytes receipt, Set<Long> passed) {}

    /** A session that counted. */
    record Run(String id, Place start, Set<Long> passed, long version) {}

    private static final class Job {
        private final String attachmentId;
        private final int keep;
        private final List<Run> runs = new ArrayList<>();
        private final List<Place> kept = new ArrayList<>();
        private final Set<Long> passed;
        private Place position;

        Job(AttachJob entry) {
            attachmentId = entry.attachmentId();
            keep = entry.keep();
            passed = steps(new StepRange(0, HORIZON), entry.fromStep());
            position = new Place("", entry.fromStep(), Bytes.EMPTY, passed);
        }

        String session() {
            return runs.isEmpty() ? "" : runs.get(runs.size() - 1).id();
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

    /** What a session passes over, and where it started; by its id, which no other one had. */
    Run run(String id) {
        return runs.get(id);
    }

    void apply(long version, Entry entry, long head) {
        if (entry instanceof AttachJob attaching) {
            // In no simulation does a job detach.
            jobs.computeIfAbsent(attaching.job(), name -> new Job(attaching));
        } else if (entry instanceof OfJob said) {
            Job job = jobs.get(said.job());
            if (job != null && job.attachmentId.equals(said.attachmentId())) {
                apply(version, said, job, head);
            }
        } else if (entry instanceof Skip skip) {
            long lowest = jobs.values().stream().mapToLong(Job::pin).min().orElse(0);
            if (skip.steps().first() >= lowest) {
                skipped.addAll(steps(skip.steps(), HORIZON));
            }
        } else if (entry instanceof Unskip unskip) {
            skipped.removeAll(steps(unskip.steps(), HORIZON));
        }
    }

    private void apply(long version, OfJob entry, Job job, long head) {
        long before = job.pin();
        if (entry instanceof StartSession start) {
            start(version, start, job);
        } else if (entry instanceof Checkpoint checkpoint) {
            checkpoint(checkpoint, job, head);
        }
        Violation.unless(
                job.pin() >= before,
                () -> "a pin fell from %d to %d by %s".formatted(before, job.pin(), entry));
    }

    private void start(long version, StartSession entry, Job job) {
        boolean isKnown = job.runs.stream().anyMatch(run -> run.id().equals(entry.session()));
        boolean isSecond =
                !job.runs.isEmpty() && job.runs.get(job.runs.size() - 1).version() == version;
        if (isKnown || isSecond) {
            return;
        }
        Set<Long> passed = new TreeSet<>(job.position.passed());
        skipped.stream().filter(step -> step >= job.position.next()).forEach(passed::add);
        Run run = new Run(entry.session(), job.position, passed, version);
        job.runs.add(run);
        runs.put(run.id(), run);
    }

    private void checkpoint(Checkpoint entry, Job job, long head) {
        boolean isKept =
                job.kept.stream().anyMatch(kept -> kept.checkpoint().equals(entry.checkpoint()));
        if (isKept
                || !entry.session().equals(job.session())
                || entry.nextStep() > head
                || entry.nextStep() < job.position.next()) {
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
    record Known(long pin, long next, String session, Set<Long> passed) {
        Known {
            passed = Set.copyOf(passed);
        }
    }

    Map<String, Known> known() {
        Map<String, Known> known = new TreeMap<>();
        jobs.forEach(
                (name, job) ->
                        known.put(
                                name,
                                new Known(
                                        job.pin(),
                                        job.position.next(),
                                        job.session(),
                                        job.runs.isEmpty() ? job.passed : last(job).passed())));
        return known;
    }

    Set<Long> skipped() {
        return new HashSet<>(skipped);
    }
}
