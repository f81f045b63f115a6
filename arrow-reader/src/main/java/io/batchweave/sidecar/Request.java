package io.batchweave.sidecar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.errors.InvalidRequestException;
import java.util.Optional;

/** What a client asks: one JSON object. */
record Request(JsonNode fields) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads a line.
     *
     * @throws InvalidRequestException if it is no JSON object
     */
    static Request parse(String line) {
        try {
            JsonNode fields = JSON.readTree(line);
            if (fields != null && fields.isObject()) {
                return new Request(fields);
            }
        } catch (JsonProcessingException e) {
            throw new InvalidRequestException(
                    "Cannot read a request: it is no JSON: " + e.getOriginalMessage(), e);
        }
        throw new InvalidRequestException("Cannot read a request: it is no JSON object");
    }

    /** What is to be done. */
    String verb() {
        return required("do");
    }

    /** A text that must be there. */
    String required(String name) {
        return text(name)
                .orElseThrow(
                        () ->
                                new InvalidRequestException(
                                        "Cannot do what a request says: it has no '" + name + "'"));
    }

    /** A text, if it is there and not null. */
    Optional<String> text(String name) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw refused(name, "a text");
        }
        return Optional.of(value.textValue());
    }

    /** A whole number of 0 or more, if it is there and not null. */
    Optional<Long> number(String name) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw refused(name, "a whole number of 0 or more");
        }
        return Optional.of(value.longValue());
    }

    /** A number that fits an int, or what it is if it is not there. */
    int count(String name, int otherwise) {
        long value = number(name).orElse((long) otherwise);
        if (value > Integer.MAX_VALUE) {
            throw refused(name, "a smaller number");
        }
        return (int) value;
    }

    /** Whether it is there and true. */
    boolean says(String name) {
        JsonNode value = fields.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
            throw refused(name, "true or false");
        }
        return value.booleanValue();
    }

    private static InvalidRequestException refused(String name, String what) {
        return new InvalidRequestException(
                "Cannot do what a request says: '" + name + "' is to be " + what);
    }
}
