package io.batchweave.cli.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What an ingest commits with each batch, to go on from there: JSON of a few hundred bytes, with
 * its fields in the order of these records. Rows are always full at a batch's end, so that a
 * position between two tokens is all there is to say, and nothing is left over in a packer.
 */
record IngestProgress(int format, IngestSettings settings, Position position) {
    private static final int FORMAT = 1;

    private static final String NOT_OURS =
            "Cannot resume the ingest: the committed progress is not that of an ingest of tokens;"
                    + " check the producer's name";

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    IngestProgress(IngestSettings settings, Position position) {
        this(FORMAT, settings, position);
    }

    Bytes encode() {
        try {
            return Bytes.copyOf(JSON.writeValueAsBytes(this));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("Writing records to memory does not fail", e);
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws UnsupportedFeatureException if a later release wrote it
     * @throws CorruptException if no release did
     */
    static IngestProgress decode(Bytes progress) {
        try {
            JsonNode json = JSON.readTree(progress.toArray());
            int format = json.path("format").asInt();
            if (format > FORMAT) {
                throw new UnsupportedFeatureException(
                        "Cannot resume the ingest: its progress has format "
                                + format
                                + ", and this release knows only "
                                + FORMAT
                                + "; use the release that wrote it");
            }
            if (!json.isObject()) {
                throw new CorruptException(NOT_OURS);
            }
            return JSON.treeToValue(json, IngestProgress.class);
        } catch (IOException e) {
            throw new CorruptException(NOT_OURS, e);
        }
    }
}
