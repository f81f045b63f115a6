package io.batchweave.cli.rows;

import io.batchweave.cli.order.Unchanged;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.model.Slice;

/**
 * How rows are dealt to slices; fixed once something has been ingested.
 *
 * @param rowsPerSlice most rows in a slice; 0 for no limit
 * @param bytesPerSlice a slice ends with the row that brings it to so many bytes; 0 for no limit
 */
public record RowSettings(int rowsPerSlice, long bytesPerSlice) {
    public RowSettings {
        boolean one = (rowsPerSlice > 0) != (bytesPerSlice > 0);
        if (!one || rowsPerSlice < 0 || bytesPerSlice < 0 || bytesPerSlice > Slice.LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "Invalid size of a slice: "
                            + rowsPerSlice
                            + " rows, "
                            + bytesPerSlice
                            + " bytes; name either --rows-per-slice, from 1, or"
                            + " --bytes-per-slice, from 1 to "
                            + Slice.LENGTH_MAX);
        }
    }

    /** Refuses other settings than those of what is committed. */
    void checkSame(RowSettings committed) {
        Unchanged.check("rows-per-slice", told(committed.rowsPerSlice), told(rowsPerSlice));
        Unchanged.check("bytes-per-slice", told(committed.bytesPerSlice), told(bytesPerSlice));
    }

    private static String told(long limit) {
        return limit == 0 ? "not given" : Long.toString(limit);
    }

    boolean isFull(SliceRows slice) {
        return rowsPerSlice > 0 ? slice.count() >= rowsPerSlice : slice.bytes() >= bytesPerSlice;
    }
}
