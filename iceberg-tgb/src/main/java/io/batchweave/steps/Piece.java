package io.batchweave.steps;

import org.apache.iceberg.DataFile;

/**
 * A data file of a table.
 *
 * @param first the lowest key in it
 * @param last the highest key in it
 */
record Piece(DataFile file, long first, long last) {
    long rows() {
        return file.recordCount();
    }

    long bytes() {
        return file.fileSizeInBytes();
    }
}
