package io.batchweave.cli.schema;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A payload schema in a file, in Iceberg's JSON form. */
final class SchemaFile {
    private static final long BYTES_MAX = 1 << 22;
    private static final int REASON_CHARS_MAX = 400;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    private SchemaFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a schema.
     *
     * @throws InvalidRequestException naming the file and the place in it, if it holds none, or one
     *     that cannot be carried
     */
    static PayloadSchema read(Path path) {
        SchemaFile file = new SchemaFile(path);
        String text = file.text();
        JsonNode json = file.json(text);
        try {
            return PayloadSchema.parse(text);
        } catch (IllegalArgumentException e) {
            throw file.refusal(firstBad(json).orElse("") + reason(e));
        }
    }

    private String text() {
        try {
            if (!Files.exists(file)) {
                throw refusal("there is no such file");
            }
            if (!Files.isRegularFile(file)) {
                throw refusal("it is no regular file");
            }
            if (Files.size(file) > BYTES_MAX) {
                throw refusal("it has more than " + BYTES_MAX + " bytes");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw refusal("it is not valid UTF-8");
        } catch (AccessDeniedException e) {
            throw refusal("permission is denied");
        } catch (IOException e) {
            throw refusal(e.getMessage());
        }
    }

    private JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw refusal(
                    "line "
                            + e.getLocation().getLineNr()
                            + ", column "
                            + e.getLocation().getColumnNr()
                            + ": "
                            + e.getOriginalMessage().replaceFirst(" \\(start marker.*", ""));
        }
    }

    /** Tells which of its fields cannot be read, which Iceberg does not. */
    private static Optional<String> firstBad(JsonNode schema) {
        int index = 0;
        for (JsonNode field : schema.path("fields")) {
            try {
                PayloadSchema.parse("{\"type\":\"struct\",\"fields\":[" + field + "]}");
            } catch (IllegalArgumentException e) {
                String name = field.path("name").asText();
                return Optional.of("field %d '%s': ".formatted(index, Names.printable(name)));
            }
            index++;
        }
        return Optional.empty();
    }

    /** What Iceberg said, or what makes a field one that cannot be carried. */
    private static String reason(IllegalArgumentException failure) {
        Throwable told = failure.getCause() == null ? failure : failure.getCause();
        String text = String.valueOf(told.getMessage());
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    private InvalidRequestException refusal(String why) {
        String shown = Names.onOneLine(why);
        return new InvalidRequestException(
                "Cannot read the schema file "
                        + file
                        + ": "
                        + shown.substring(0, Math.min(REASON_CHARS_MAX, shown.length()))
                        + "; name a file in Iceberg's JSON form");
    }
}
