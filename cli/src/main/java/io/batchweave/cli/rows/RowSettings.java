package io.batchweave.cli.rows;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.batchweave.cli.order.Unchanged;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.model.Slice;

/**
 * How rows are dealt to slices; fixed once something has been ingested. In JSON its fields tell
 * which of the two it is.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
    @JsonSubTypes.Type(RowSettings.ByRows.class),
    @JsonSubTypes.Type(RowSettings.ByBytes.class)
})
public sealed interface RowSettings {
    /** So many rows in a slice. */
    record ByRows(int rowsPerSlice) implements RowSettings {
        public ByRows {
            if (rowsPerSlice < 1) {
                throw new IllegalArgumentException(
                        "Invalid --rows-per-slice " + rowsPerSlice + ": use 1 or more");
            }
        }

        @Override
        public boolean isFull(SliceRows slice) {
            return slice.count() >= rowsPerSlice;
        }
    }

    /** A slice ends with the row that brings it to so many bytes. */
    record ByBytes(long bytesPerSlice) implements RowSettings {
        public ByBytes {
            if (bytesPerSlice < 1 || bytesPerSlice > Slice.LENGTH_MAX) {
                throw new IllegalArgumentException(
                        "Invalid --bytes-per-slice "
                                + bytesPerSlice
                                + ": use 1 to "
                                + Slice.LENGTH_MAX);
            }
        }

        @Override
        public boolean isFull(SliceRows slice) {
            return slice.bytes() >= bytesPerSlice;
        }
    }

    /** Whether no row is added to a slice any more. */
    boolean isFull(SliceRows slice);

    /** Refuses other settings than those of what is committed. */
    default void checkSame(RowSettings committed) {
        Unchanged.check("rows-per-slice", rows(committed), rows(this));
        Unchanged.check("bytes-per-slice", bytes(committed), bytes(this));
    }

    private static Object rows(RowSettings settings) {
        return settings instanceof ByRows by ? by.rowsPerSlice() : Unchanged.NOT_GIVEN;
    }

    private static Object bytes(RowSettings settings) {
        return settings instanceof ByBytes by ? by.bytesPerSlice() : Unchanged.NOT_GIVEN;
    }
}
