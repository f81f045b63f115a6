package io.batchweave.cli.rows;

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
 * What an ingest of rows commits with each batch, to go on from there: JSON of a few hundred bytes,
 * with its fields in the order of these records.
 */
record RowProgress(int rowFormat, RowSettings settings, RowPosition position) {
    private static final int FORMAT = 1;

    private static final String NOT_OURS =
            "Cannot resume the ingest: the committed progress is not that of an ingest of rows;"
                    + " check the producer's name";

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    RowProgress(RowSettings settings, RowPosition position) {
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
    static RowProgress decode(Bytes progress) {
        try {
            JsonNode json = JSON.readTree(progress.toArray());
            int format = json.path("row_format").asInt();
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
            return JSON.treeToValue(json, RowProgress.class);
        } catch (IOException e) {
            throw new CorruptException(NOT_OURS, e);
        }
    }
}
