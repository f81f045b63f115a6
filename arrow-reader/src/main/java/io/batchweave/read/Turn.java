package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.StepRanges;

/**
 * One of several readers at one place that take turns, such as the workers of a data loader: of the
 * steps that are given it takes every {@code of}-th.
 *
 * @param index the first that it takes, from 0
 */
public record Turn(int index, int of) {
    /** So many take turns at most. */
    public static final int OF_MAX = 4_096;

    /** Who takes all of them. */
    public static final Turn ALL = new Turn(0, 1);

    /**
     * @throws InvalidRequestException if it is no turn, or if too many take turns
     */
    public Turn {
        if (of > OF_MAX) {
            throw new InvalidRequestException(
                    "Invalid worker %d of %d: at most %d workers take turns; use fewer"
                            .formatted(index, of, OF_MAX));
        }
        if (of < 1 || index < 0 || index >= of) {
            throw new InvalidRequestException(
                    "Invalid worker %d of %d: workers count from 0 and stay below their number"
                            .formatted(index, of));
        }
    }

    /** The first step it takes, from one on. */
    long first(long from, StepRanges passed) {
        return ahead(passed.nextOutside(from), index, passed);
    }

    /** The step it takes after one. */
    long after(long step, StepRanges passed) {
        return ahead(step, of, passed);
    }

    /** No step lies beyond the largest number, so there it stays. */
    private static long ahead(long step, int count, StepRanges passed) {
        long reached = step;
        for (int i = 0; i < count && reached < Long.MAX_VALUE; i++) {
            reached = passed.nextOutside(reached + 1);
        }
        return reached;
    }
}
