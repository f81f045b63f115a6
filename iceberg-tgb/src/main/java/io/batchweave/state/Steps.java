package io.batchweave.state;

import io.batchweave.model.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * All published steps: the newest as they are, the older ones as the segments that hold them.
 *
 * <p>So a State has one size, however old the dataset is. Where it is cut follows from the log
 * alone: equal logs give equal segments, whoever writes them.
 *
 * @param segments of the steps before the recent ones, in order, without a gap
 * @param recent in order; nothing but the newest steps
 * @param weight of the recent ones
 */
public record Steps(
        Totals totals, PVector<SegmentRef> segments, PVector<StepRecord> recent, long weight) {
    /** Recent steps are cut when they are heavier. */
    static final long RECENT_MAX = 1 << 20;

    /** A segment is at least so heavy, and at most one step heavier. */
    static final long SEGMENT_MIN = 512 << 10;

    static final Steps NONE = new Steps(Totals.ZERO, TreePVector.empty(), TreePVector.empty(), 0);

    /** Steps, and what was cut off before them. */
    record Cut(Steps steps, List<Segment> segments) {}

    /** How many there are: the step that the next accepted batch becomes. */
    public long count() {
        return firstRecent() + recent.size();
    }

    /** The first of the recent steps, or the next one if there is none. */
    public long firstRecent() {
        return newestSegment().map(segment -> segment.lastStep() + 1).orElse(0L);
    }

    private Optional<SegmentRef> newestSegment() {
        return segments.isEmpty()
                ? Optional.empty()
                : Optional.of(segments.get(segments.size() - 1));
    }

    /** The record of a step, if it is recent. */
    public Optional<StepRecord> recent(long step) {
        return step < firstRecent() || step >= count()
                ? Optional.empty()
                : Optional.of(recent.get(Math.toIntExact(step - firstRecent())));
    }

    /** The segment of a step, if it is not recent. */
    public Optional<SegmentRef> segment(long step) {
        return step < 0 || step >= firstRecent()
                ? Optional.empty()
                : Optional.of(segments.get(indexOf(step)));
    }

    /** By halving: the index of the segment that holds a step. */
    private int indexOf(long step) {
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            boolean isBefore = segments.get(middle).lastStep() < step;
            low = isBefore ? middle + 1 : low;
            high = isBefore ? high : middle;
        }
        return low;
    }

    /**
     * The receipt after a step, if the step is recent or the last one of a segment. Of others their
     * segment tells it.
     */
    public Optional<Bytes> receiptAfter(long step) {
        return segment(step)
                .filter(segment -> segment.lastStep() == step)
                .map(SegmentRef::receipt)
                .or(() -> recent(step).map(StepRecord::receipt));
    }

    /**
     * The first step that is not older than this, or older and in one segment with one that is not:
     * segments are looked at as a whole, so that none must be read.
     */
    long firstAfter(Instant time) {
        for (SegmentRef segment : segments) {
            if (segment.at().isAfter(time)) {
                return segment.firstStep();
            }
        }
        return recent.stream()
                .filter(step -> step.at().isAfter(time))
                .findFirst()
                .map(StepRecord::step)
                .orElse(count());
    }

    Steps plus(StepRecord step) {
        return new Steps(
                totals.plus(step.batch()),
                segments,
                recent.plus(step),
                weight + Weights.of(step.batch()));
    }

    /**
     * Cuts off the oldest if the recent ones are too heavy. This is done before a commit is
     * applied, so that what it publishes is there after it, however much it is.
     */
    Cut cut() {
        List<Segment> cut = new ArrayList<>();
        Steps left = this;
        while (left.weight > RECENT_MAX) {
            Segment oldest = left.oldest();
            cut.add(oldest);
            left = left.without(oldest);
        }
        return new Cut(left, cut);
    }

    private Segment oldest() {
        long heavy = 0;
        int steps = 0;
        while (heavy < SEGMENT_MIN) {
            heavy += Weights.of(recent.get(steps).batch());
            steps++;
        }
        return new Segment(recent.subList(0, steps));
    }

    private Steps without(Segment oldest) {
        long lighter = oldest.steps().stream().mapToLong(step -> Weights.of(step.batch())).sum();
        return new Steps(
                totals,
                segments.plus(oldest.ref()),
                recent.subList(oldest.steps().size(), recent.size()),
                weight - lighter);
    }

    /**
     * Makes sure that this is what steps can be.
     *
     * @param start the receipt before step 0
     * @param end the receipt after all of them
     * @throws IllegalArgumentException if it is not
     */
    void check(Bytes start, Bytes end) {
        long next = 0;
        for (SegmentRef segment : segments) {
            if (segment.firstStep() != next || segment.lastStep() < next) {
                throw new IllegalArgumentException("it lacks the segment of step " + next);
            }
            next = segment.lastStep() + 1;
        }
        Bytes before = newestSegment().map(SegmentRef::receipt).orElse(start);
        Bytes after = Receipts.checkChain(next, before, recent);
        if (!after.equals(end)) {
            throw new IllegalArgumentException(
                    "its receipt is " + end + ", that of its last step " + after);
        }
        long heavy = recent.stream().mapToLong(step -> Weights.of(step.batch())).sum();
        if (heavy != weight) {
            throw new IllegalArgumentException(
                    "its recent steps weigh " + heavy + " and not " + weight);
        }
    }
}
