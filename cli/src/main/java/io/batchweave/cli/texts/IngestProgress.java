package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.ProgressJson;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.model.Bytes;

/**
 * What an ingest commits with each batch, to go on from there: JSON of a few hundred bytes. Rows
 * are always full at a batch's end, so that a position between two tokens is all there is to say,
 * and nothing is left over in a packer.
 */
record IngestProgress(int format, IngestSettings settings, Position position) {
    private static final ProgressJson JSON = new ProgressJson("format", 1, "an ingest of tokens");

    IngestProgress(IngestSettings settings, Position position) {
        this(JSON.format(), settings, position);
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
    static IngestProgress decode(Bytes progress) {
        return JSON.decode(progress, IngestProgress.class);
    }
}
