package io.batchweave.cli.inputs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Progress as JSON, with its fields in the order of the records.
 *
 * @param field the field that holds the number of the format, and tells this progress from others
 * @param format the highest number that is known
 * @param what whose progress it is, for people
 */
public record ProgressJson(String field, int format, String what) {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** The bytes that are committed. */
    public Bytes encode(Record progress) {
        try {
            return Bytes.copyOf(JSON.writeValueAsBytes(progress));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("Writing records to memory does not fail", e);
        }
    }

    /** Whether some release wrote it as this. */
    public boolean wrote(Bytes progress) {
        try {
            return JSON.readTree(progress.toArray()).path(field).isInt();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws UnsupportedFeatureException if a later release wrote it
     * @throws CorruptException if no release did
     */
    public <T extends Record> T decode(Bytes progress, Class<T> type) {
        return decode(progress, type, first -> {});
    }

    /** The same; {@code upgrade} makes what earlier releases wrote what this one writes. */
    public <T extends Record> T decode(
            Bytes progress, Class<T> type, Consumer<ObjectNode> upgrade) {
        try {
            JsonNode json = JSON.readTree(progress.toArray());
            int written = json.path(field).asInt();
            if (written > format) {
                throw new UnsupportedFeatureException(
                        "Cannot resume the ingest: its progress has format "
                                + written
                                + ", and this release knows only "
                                + format
                                + "; use the release that wrote it");
            }
            if (!(json instanceof ObjectNode object)) {
                throw notOurs(null);
            }
            if (written > 0 && written < format) {
                upgrade.accept(object);
                object.put(field, format);
            }
            return JSON.treeToValue(json, type);
        } catch (IOException e) {
            throw notOurs(e);
        }
    }

    private CorruptException notOurs(Throwable cause) {
        return new CorruptException(
                "Cannot resume the ingest: the committed progress is not that of "
                        + what
                        + "; check the producer's name",
                cause);
    }
}
