package io.batchweave.cli.schema;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Dataset;
import io.batchweave.model.Names;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.iceberg.Schema;

/** Reads a payload schema as it is given on the command line. */
public final class SchemaArgument {
    private static final long FILE_BYTES_MAX = 1 << 22;

    private SchemaArgument() {}

    /**
     * The schema that {@code argument} is or names: fields, or a file in Iceberg's JSON form.
     *
     * @throws InvalidRequestException saying where it cannot be read
     * @throws IllegalArgumentException naming a field that cannot be carried
     */
    public static PayloadSchema parse(String argument) {
        PayloadSchema named =
                isFile(argument)
                        ? PayloadSchema.parse(read(Path.of(argument)))
                        : SchemaText.parse(argument);
        Schema schema = named.iceberg();
        return PayloadSchema.of(
                new Schema(Dataset.SCHEMA_ID, schema.columns(), schema.identifierFieldIds()),
                named.tensors());
    }

    private static boolean isFile(String argument) {
        try {
            return argument.endsWith(".json") || Files.isRegularFile(Path.of(argument));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw refusal(file, "it has more than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw refusal(file, e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    private static InvalidRequestException refusal(Path file, String why) {
        return new InvalidRequestException(
                "Cannot read the schema file "
                        + file
                        + ": "
                        + Names.printable(why)
                        + "; name a file in Iceberg's JSON form");
    }
}
