package io.batchweave.cli.rows;

import io.batchweave.cli.inputs.ProgressJson;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.feed.RowPosition;
import io.batchweave.model.Bytes;

/**
 * What an ingest of rows commits with each batch, to go on from there: JSON of a few hundred bytes.
 */
record RowProgress(int rowFormat, RowSettings settings, RowOrder order, RowPosition position) {
    private static final ProgressJson JSON = new ProgressJson("row_format", 2, "an ingest of rows");

    RowProgress(RowSettings settings, RowOrder order, RowPosition position) {
        this(JSON.format(), settings, order, position);
    }

    Bytes encode() {
        return JSON.encode(this);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws io.batchweave.errors.UnsupportedFeatureException if a later release wrote it
     * @throws io.batchweave.errors.CorruptException if no release did
     */
    static RowProgress decode(Bytes progress) {
        return JSON.decode(progress, RowProgress.class, FirstFormat::upgrade);
    }
}
