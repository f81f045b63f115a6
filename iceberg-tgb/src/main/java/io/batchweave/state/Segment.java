package io.batchweave.state;

import io.batchweave.model.Bytes;
import java.util.List;

/**
 * Records of steps that follow each other and are old enough to lie beside the State.
 *
 * @param steps in order, at least one
 */
public record Segment(List<StepRecord> steps) {
    public Segment {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("Invalid segment: it holds no step");
        }
    }

    /** What the State says of it. */
    public SegmentRef ref() {
        StepRecord last = steps.get(steps.size() - 1);
        return new SegmentRef(
                steps.get(0).step(),
                last.step(),
                last.at(),
                Totals.of(steps).bytes(),
                last.receipt());
    }

    /** The record of a step that it holds. */
    public StepRecord step(long step) {
        return steps.get(Math.toIntExact(step - steps.get(0).step()));
    }

    /**
     * Makes sure that this is the segment that a State speaks of.
     *
     * @param before the receipt before its first step
     * @throws IllegalArgumentException if it is another one
     */
    public void check(SegmentRef expected, Bytes before) {
        Receipts.checkChain(expected.firstStep(), before, steps);
        if (!ref().equals(expected)) {
            throw new IllegalArgumentException(
                    "it ends at step "
                            + ref().lastStep()
                            + " with the receipt "
                            + ref().receipt()
                            + "; the State says step "
                            + expected.lastStep()
                            + " and "
                            + expected.receipt());
        }
    }
}
