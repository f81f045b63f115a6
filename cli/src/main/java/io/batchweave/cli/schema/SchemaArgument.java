package io.batchweave.cli.schema;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Dataset;
import io.batchweave.payload.PayloadSchema;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.iceberg.Schema;

/** Reads a payload schema as it is given on the command line. */
public final class SchemaArgument {
    private SchemaArgument() {}

    /**
     * The schema that {@code argument} is or names: fields, or a file in Iceberg's JSON form.
     *
     * @throws InvalidRequestException saying where it cannot be read, or naming a column whose name
     *     nobody should have to write
     * @throws IllegalArgumentException naming a field that cannot be carried
     */
    public static PayloadSchema parse(String argument) {
        PayloadSchema named =
                isFile(argument) ? SchemaFile.read(Path.of(argument)) : SchemaText.parse(argument);
        Schema schema = named.iceberg();
        ColumnNames.check(schema.columns());
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
}
