package io.batchweave.cli.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import io.batchweave.model.Names;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What a program asks for. */
sealed interface Request {

    /** Publish the batch whose slices follow. */
    record Publish(Bytes progress, List<Count> counts, Provenance provenance) implements Request {}

    /** Wait until every batch is in the log. */
    record Flush() implements Request {}

    /** Say that there is no more to publish. */
    record Finish(Bytes progress) implements Request {}

    /** Finish and seal. */
    record Seal() implements Request {}

    /**
     * Reads a line.
     *
     * @param progress that counts where the request names none and need not
     * @throws InvalidRequestException if it is no request
     */
    static Request parse(String line, Bytes progress) {
        JsonNode json = json(line);
        String verb = json.path("do").asText();
        try {
            return switch (verb) {
                case "publish" -> publish(json);
                case "flush" -> new Flush();
                case "finish" ->
                        new Finish(json.path("progress").isTextual() ? progress(json) : progress);
                case "seal" -> new Seal();
                default ->
                        throw refused(
                                "it asks to do '"
                                        + Names.printable(verb)
                                        + "'; ask for publish, flush, finish or seal");
            };
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private static JsonNode json(String line) {
        try {
            JsonNode json = new ObjectMapper().readTree(line);
            if (json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            throw refused(
                    "it is no JSON (" + e.getOriginalMessage() + "); write an object on one line");
        }
        throw refused("it is no JSON object; write one on one line");
    }

    private static Publish publish(JsonNode json) {
        List<Count> counts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : json.path("counts").properties()) {
            counts.add(new Count(each.getKey(), whole("counts", each.getValue())));
        }
        List<Source> sources = new ArrayList<>();
        json.path("sources").forEach(each -> sources.add(source(each)));
        List<SourceRows> rows = new ArrayList<>();
        json.path("rows").forEach(each -> rows.add(rows(each)));
        return new Publish(progress(json), counts, new Provenance(sources, rows));
    }

    private static Bytes progress(JsonNode json) {
        if (!json.path("progress").isTextual()) {
            throw refused(
                    "it has no progress; add where a restart is to go on, in Base64, or \"\"");
        }
        return Bytes.copyOf(Base64.getDecoder().decode(json.get("progress").asText()));
    }

    private static Source source(JsonNode json) {
        return new Source(
                json.path("input").asText(),
                json.has("length") ? number(json, "length") : 0,
                Bytes.fromHex(json.path("digest").asText()),
                json.has("epoch") ? Math.toIntExact(number(json, "epoch")) : 0);
    }

    private static SourceRows rows(JsonNode json) {
        return new SourceRows(
                Math.toIntExact(number(json, "slice")),
                Math.toIntExact(number(json, "source")),
                number(json, "first"),
                number(json, "rows"),
                number(json, "amount"));
    }

    private static long number(JsonNode json, String field) {
        return whole(field, json.path(field));
    }

    private static long whole(String field, JsonNode number) {
        if (!number.isIntegralNumber() || !number.canConvertToLong()) {
            throw refused(field + " holds no whole number; write one");
        }
        return number.asLong();
    }

    private static InvalidRequestException refused(String why) {
        return new InvalidRequestException("Cannot take a request from standard input: " + why);
    }
}
