package io.batchweave.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.model.Names;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tensors of a schema in JSON: a member of the schema's object, behind what is Iceberg's, so
 * that whoever reads Iceberg's form alone passes over it.
 */
final class Tensors {
    private static final String MEMBER = "tensors";
    private static final String ID = "field-id";
    private static final String DTYPE = "dtype";
    private static final String SHAPE = "shape";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Tensors() {}

    /**
     * The tensors that a schema declares, by field id.
     *
     * @throws IllegalArgumentException if they are not of the form, or two are of one field
     */
    static SortedMap<Integer, Tensor> of(String schemaJson) {
        SortedMap<Integer, Tensor> tensors = new TreeMap<>();
        JsonNode declared = tree(schemaJson).path(MEMBER);
        if (!declared.isMissingNode() && !declared.isArray()) {
            throw refusal(declared, "a list was expected");
        }
        for (JsonNode each : declared) {
            if (!each.path(ID).isInt()) {
                throw refusal(each, "it needs a field-id");
            }
            if (tensors.put(each.path(ID).intValue(), tensor(each)) != null) {
                throw refusal(each, "another one is of this field too");
            }
        }
        return tensors;
    }

    /** The schema with its tensors; without any it stays what it is. */
    static String with(String schemaJson, SortedMap<Integer, Tensor> tensors) {
        if (tensors.isEmpty()) {
            return schemaJson;
        }
        ObjectNode schema = (ObjectNode) tree(schemaJson);
        ArrayNode declared = schema.putArray(MEMBER);
        tensors.forEach(
                (id, tensor) -> {
                    ObjectNode each = declared.addObject().put(ID, id);
                    put(each, tensor);
                });
        return schema.toString();
    }

    /** What the Arrow field of such a column says of it. */
    static String metadata(Tensor tensor) {
        ObjectNode each = JSON.createObjectNode();
        put(each, tensor);
        return each.toString();
    }

    private static void put(ObjectNode into, Tensor tensor) {
        into.put(DTYPE, tensor.dtype().toString());
        ArrayNode shape = into.putArray(SHAPE);
        tensor.shape().forEach(shape::add);
    }

    private static Tensor tensor(JsonNode json) {
        Dtype dtype =
                Dtype.named(json.path(DTYPE).asText())
                        .orElseThrow(() -> refusal(json, "its dtype is none of " + Dtype.names()));
        List<Integer> shape = new ArrayList<>();
        for (JsonNode size : json.path(SHAPE)) {
            if (!size.isInt()) {
                throw refusal(json, "its shape has to be a list of sizes");
            }
            shape.add(size.intValue());
        }
        return new Tensor(dtype, shape);
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IllegalArgumentException refusal(JsonNode json, String why) {
        return new IllegalArgumentException(
                "Cannot read the tensor "
                        + Names.printable(json.toString())
                        + ": "
                        + why
                        + "; write {\"field-id\":3,\"dtype\":\"uint8\",\"shape\":[224,224,3]}");
    }
}
