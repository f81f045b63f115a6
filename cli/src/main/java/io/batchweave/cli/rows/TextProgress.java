package io.batchweave.cli.rows;

import io.batchweave.cli.inputs.ProgressJson;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.feed.RowPosition;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.model.Bytes;

/**
 * What an ingest of the texts in rows commits with each batch, to go on from there.
 *
 * @param position before the text that the place lies in, or behind all texts so far
 * @param tokens how many tokens of the next text lie before the place
 */
record TextProgress(
        int textFormat,
        IngestSettings settings,
        RowOrder order,
        RowPosition position,
        long tokens) {
    static final ProgressJson JSON =
            new ProgressJson("text_format", 2, "an ingest of the texts in rows");

    TextProgress {
        if (tokens < 0) {
            throw new IllegalArgumentException("Invalid position: " + tokens + " tokens");
        }
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
    static TextProgress decode(Bytes progress) {
        return JSON.decode(progress, TextProgress.class, FirstFormat::upgrade);
    }
}
