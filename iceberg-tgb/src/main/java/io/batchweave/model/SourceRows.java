package io.batchweave.model;

/**
 * Adjacent rows of a source that went into a slice.
 *
 * @param slice index of the slice in the grid
 * @param source index of the source in its batch's provenance
 * @param first the first of them, counted from 0 in the whole input; a document is one row
 * @param rows how many; the first and the last may be in the slice in part
 * @param amount what they fill of the slice: tokens where rows are packed into sequences, else rows
 */
public record SourceRows(int slice, int source, long first, long rows, long amount) {
    public SourceRows {
        if (slice < 0
                || source < 0
                || first < 0
                || rows < 1
                || rows > Long.MAX_VALUE - first
                || amount < 0) {
            throw new IllegalArgumentException(
                    "Invalid rows of a source: %d from row %d of source %d on, which fill %d of slice %d"
                            .formatted(rows, first, source, amount, slice));
        }
    }
}
