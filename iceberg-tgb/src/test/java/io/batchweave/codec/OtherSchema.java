package io.batchweave.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.avro.Schema;

/** Our own schema of commits with something changed, as older, newer or broken software has it. */
final class OtherSchema {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode root = parse(ForeignObjects.ownSchema());

    /** A field of one of its records. */
    record Place(String record, String field) {
        @Override
        public String toString() {
            return record + "." + field;
        }
    }

    /** Every field of every record. */
    static List<Place> places() {
        OtherSchema own = new OtherSchema();
        List<Place> places = new ArrayList<>();
        for (String record : records()) {
            fieldsOf(own.find(record))
                    .forEach(field -> places.add(new Place(record, field.get("name").asText())));
        }
        return places;
    }

    /** The name of every record. */
    static List<String> records() {
        return new OtherSchema()
                .root.findParents("fields").stream()
                        .map(node -> node.get("name").asText())
                        .toList();
    }

    /** Adds a kind of entry, given as JSON. */
    OtherSchema withEntryKind(String record) {
        JsonNode entries = field("Commit", "entries").get("type");
        ((ArrayNode) entries.get("items")).add(parse(record));
        return this;
    }

    /** Puts a field, given as JSON, before all others of a record. */
    OtherSchema withFirstField(String record, String field) {
        ((ArrayNode) find(record).get("fields")).insert(0, parse(field));
        return this;
    }

    OtherSchema without(Place place) {
        ArrayNode fields = (ArrayNode) find(place.record()).get("fields");
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).get("name").asText().equals(place.field())) {
                fields.remove(i);
            }
        }
        return this;
    }

    /** Gives a field another type, given as JSON. */
    OtherSchema withType(String record, String field, String type) {
        ((ObjectNode) field(record, field)).set("type", parse(type));
        return this;
    }

    OtherSchema withSymbol(String enumeration, String symbol) {
        ((ArrayNode) find(enumeration).get("symbols")).add(symbol);
        return this;
    }

    OtherSchema withFieldsReversed(String record) {
        ArrayNode fields = (ArrayNode) find(record).get("fields");
        for (int i = fields.size() - 1; i >= 0; i--) {
            fields.add(fields.remove(i));
        }
        return this;
    }

    OtherSchema renamed(String record, String name) {
        ((ObjectNode) find(record)).put("name", name);
        return this;
    }

    String text() {
        return root.toString();
    }

    Schema schema() {
        return new Schema.Parser().parse(text());
    }

    private JsonNode find(String type) {
        return root.findParents("name").stream()
                .filter(node -> node.get("name").asText().equals(type))
                .filter(node -> node.has("fields") || node.has("symbols"))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode field(String record, String name) {
        return fieldsOf(find(record)).stream()
                .filter(field -> field.get("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonNode> fieldsOf(JsonNode record) {
        return StreamSupport.stream(record.get("fields").spliterator(), false).toList();
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
