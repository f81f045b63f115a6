package io.batchweave.sim;

import io.batchweave.model.Bytes;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Pin;
import io.batchweave.state.Position;
import io.batchweave.state.ProducerState;
import io.batchweave.state.Retention;
import io.batchweave.state.Session;
import io.batchweave.state.Slowest;
import io.batchweave.state.State;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What a log means up to a version, as far as it fits a line. */
record Meaning(
        long version,
        String datasetId,
        long steps,
        Bytes receipt,
        boolean sealed,
        Map<String, Known> producers,
        Map<String, JobModel.Known> jobs,
        JobModel.Bounds bounds,
        Set<Long> skipped,
        long lowStep,
        long sweptStep) {

    /** What is known of a producer. */
    record Known(long epoch, String openingId, long next, boolean finished, Bytes progress) {
        static Known of(ProducerState state) {
            return new Known(
                    state.epoch(),
                    state.openingId(),
                    state.nextSequence(),
                    state.finished(),
                    state.progress());
        }
    }

    Meaning {
        producers = Map.copyOf(producers);
        jobs = Map.copyOf(jobs);
        skipped = Set.copyOf(skipped);
    }

    static Meaning of(State state) {
        Map<String, Known> producers = new TreeMap<>();
        state.producers().forEach((name, known) -> producers.put(name, Known.of(known)));
        return new Meaning(
                state.version(),
                state.dataset().id(),
                state.nextStep(),
                state.receipt(),
                state.phase() == State.Phase.SEALED,
                producers,
                jobs(state),
                bounds(state),
                steps(state.skips().steps()),
                state.lowStep(),
                state.kept().sweptStep());
    }

    private static Map<String, JobModel.Known> jobs(State state) {
        Map<String, JobModel.Known> jobs = new TreeMap<>();
        state.jobs()
                .forEach(
                        (name, job) ->
                                jobs.put(
                                        name,
                                        new JobModel.Known(
                                                job.isAttached(),
                                                job.pin().nextStep(),
                                                position(job.position()),
                                                job.checkpoints().stream()
                                                        .map(Meaning::position)
                                                        .toList(),
                                                job.session().map(Session::id).orElse(""),
                                                steps(job.passed(JobModel.HORIZON)))));
        return jobs;
    }

    private static JobModel.Position position(Position position) {
        return new JobModel.Position(position.checkpoint(), position.nextStep());
    }

    private static JobModel.Bounds bounds(State state) {
        return new JobModel.Bounds(
                Retention.lowestPin(state).map(Pin::step).orElse(JobModel.NOBODY),
                Retention.slowest(state).map(Slowest::nextStep).orElse(JobModel.NOBODY),
                state.settings().maxLead());
    }

    private static Set<Long> steps(StepRanges ranges) {
        return LongStream.range(0, JobModel.HORIZON)
                .filter(ranges::contains)
                .boxed()
                .collect(Collectors.toSet());
    }
}
