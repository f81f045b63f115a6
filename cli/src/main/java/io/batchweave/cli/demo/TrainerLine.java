package io.batchweave.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one trainer said of one step.
 *
 * @param digests by the slice's index
 */
record TrainerLine(long step, String cursor, Map<Integer, String> digests) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static TrainerLine parse(String line) {
        try {
            JsonNode json = JSON.readTree(line);
            Map<Integer, String> digests = new TreeMap<>();
            json.get("slices")
                    .forEach(
                            slice ->
                                    digests.put(
                                            slice.get("index").asInt(),
                                            slice.get("digest").asText()));
            return new TrainerLine(json.get("step").asLong(), json.get("cursor").asText(), digests);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A trainer printed what is no JSON: " + line, e);
        }
    }
}
