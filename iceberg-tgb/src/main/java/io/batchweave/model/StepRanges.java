package io.batchweave.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of steps. Equal sets are equal, however they were put together.
 *
 * @param ranges ascending, with at least one step between two of them
 */
public record StepRanges(List<StepRange> ranges) {
    /** No step. */
    public static final StepRanges NONE = new StepRanges(List.of());

    public StepRanges {
        ranges = joined(ranges);
    }

    private static List<StepRange> joined(List<StepRange> ranges) {
        List<StepRange> joined = new ArrayList<>();
        for (StepRange next :
                ranges.stream().sorted(Comparator.comparingLong(StepRange::first)).toList()) {
            StepRange before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (before != null && next.first() <= before.last() + 1) {
                long last = Math.max(before.last(), next.last());
                joined.set(joined.size() - 1, new StepRange(before.first(), last));
            } else {
                joined.add(next);
            }
        }
        return List.copyOf(joined);
    }

    /** These steps alone. */
    public static StepRanges of(StepRange... ranges) {
        return new StepRanges(List.of(ranges));
    }

    /** Steps 0 to {@code end - 1}. */
    public static StepRanges before(long end) {
        return end == 0 ? NONE : of(new StepRange(0, end - 1));
    }

    /** Those of them that are below {@code end}. */
    public StepRanges below(long end) {
        return new StepRanges(
                ranges.stream()
                        .filter(range -> range.first() < end)
                        .map(range -> new StepRange(range.first(), Math.min(range.last(), end - 1)))
                        .toList());
    }

    /** Those of them that are {@code start} or above. */
    public StepRanges from(long start) {
        return new StepRanges(
                ranges.stream()
                        .filter(range -> range.last() >= start)
                        .map(range -> new StepRange(Math.max(range.first(), start), range.last()))
                        .toList());
    }

    /** These and those. */
    public StepRanges and(StepRanges others) {
        return new StepRanges(Stream.concat(ranges.stream(), others.ranges.stream()).toList());
    }

    /** These without those. */
    public StepRanges without(StepRange others) {
        StepRanges above = from(others.last() + 1);
        return others.first() == 0 ? above : below(others.first()).and(above);
    }

    /** Those of them that are in this range too. */
    public StepRanges within(StepRange range) {
        return from(range.first()).below(range.last() + 1);
    }

    public boolean contains(long step) {
        return nextOutside(step) != step;
    }

    /** The first step from this one on that is none of them. */
    public long nextOutside(long step) {
        for (StepRange range : ranges) {
            if (range.first() <= step && step <= range.last()) {
                return range.last() + 1;
            }
        }
        return step;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** How many they are. */
    public long count() {
        return ranges.stream().mapToLong(StepRange::count).sum();
    }

    @Override
    public String toString() {
        return ranges.stream().map(StepRange::toString).collect(Collectors.joining(", "));
    }
}
