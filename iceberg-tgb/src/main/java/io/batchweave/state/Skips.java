package io.batchweave.state;

import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The steps that a session passes over if it starts now.
 *
 * @param records ascending; no step is in two of them
 */
public record Skips(List<Skipped> records) {
    /** Most records; each session and each checkpoint keeps its own copy of the ranges. */
    public static final int RECORDS_MAX = 1_024;

    static final Skips NONE = new Skips(List.of());

    public Skips {
        records =
                records.stream()
                        .sorted(Comparator.comparingLong(record -> record.steps().first()))
                        .toList();
    }

    public StepRanges steps() {
        return new StepRanges(records.stream().map(Skipped::steps).toList());
    }

    /** These, and those of {@code steps} that are not skipped yet. */
    Skips with(StepRange steps, String reason, Instant at) {
        StepRanges added = StepRanges.of(steps);
        for (Skipped record : records) {
            added = added.without(record.steps());
        }
        Stream<Skipped> more = added.ranges().stream().map(range -> new Skipped(range, reason, at));
        return new Skips(Stream.concat(records.stream(), more).toList());
    }

    /** These without those of {@code steps}. */
    Skips without(StepRange steps) {
        List<Skipped> left = new ArrayList<>();
        for (Skipped record : records) {
            StepRanges.of(record.steps()).without(steps).ranges().stream()
                    .map(range -> new Skipped(range, record.reason(), record.at()))
                    .forEach(left::add);
        }
        return new Skips(left);
    }
}
