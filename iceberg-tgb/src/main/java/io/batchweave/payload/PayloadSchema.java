package io.batchweave.payload;

import io.batchweave.model.Names;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The schema of a dataset's payload, in Iceberg's terms and in Arrow's.
 *
 * <p>Fields are known by their ids: the Arrow schema carries them as {@code PARQUET:field_id}, and
 * whoever builds slices from {@link #arrow} gets them right without knowing.
 */
public final class PayloadSchema {
    /** Most fields, at all depths together. */
    public static final int COLUMNS_MAX = 4_096;

    /** Deepest nesting, in levels of Arrow fields: a list adds one, a map two. */
    public static final int DEPTH_MAX = 48;

    private final Schema iceberg;
    private final String json;
    private final List<Column> columns;
    private final org.apache.arrow.vector.types.pojo.Schema arrow;

    private PayloadSchema(Schema iceberg) {
        this.iceberg = iceberg;
        this.columns = Columns.of(iceberg.asStruct());
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(
                    "Cannot carry a payload schema: it has no field; add one");
        }
        this.json = SchemaParser.toJson(iceberg);
        this.arrow =
                new org.apache.arrow.vector.types.pojo.Schema(
                        columns.stream().map(Column::field).toList());
    }

    /**
     * Reads Iceberg's JSON form of a schema.
     *
     * @throws IllegalArgumentException if it is none, or naming the first field that Arrow cannot
     *     carry bit for bit: variant, geometry, geography and unknown
     */
    public static PayloadSchema parse(String icebergJson) {
        Schema schema;
        try {
            schema = SchemaParser.fromJson(icebergJson);
        } catch (UncheckedIOException | ValidationException | IllegalArgumentException e) {
            throw unreadable(icebergJson, e);
        }
        return of(schema);
    }

    private static IllegalArgumentException unreadable(String json, RuntimeException cause) {
        return new IllegalArgumentException(
                "Cannot read a payload schema from '"
                        + Names.printable(json)
                        + "': "
                        + Names.printable(String.valueOf(cause.getMessage()))
                        + "; write it in Iceberg's JSON form",
                cause);
    }

    /**
     * The payload schema that says what an Iceberg schema says.
     *
     * @throws IllegalArgumentException naming the first field that Arrow cannot carry bit for bit
     */
    public static PayloadSchema of(Schema schema) {
        return new PayloadSchema(schema);
    }

    /**
     * The schema of token batches: {@code tokens}, one list of ids a row, always as long as the
     * sequence; {@code valid}, how many of them count; {@code doc_starts}, the positions at which
     * documents begin.
     */
    public static PayloadSchema tokens() {
        Types.IntegerType number = Types.IntegerType.get();
        return of(
                new Schema(
                        NestedField.required(
                                1,
                                "tokens",
                                Types.ListType.ofRequired(4, number),
                                "Token ids, as many in every row"),
                        NestedField.required(
                                2, "valid", number, "How many of the tokens count, from the first"),
                        NestedField.required(
                                3,
                                "doc_starts",
                                Types.ListType.ofRequired(5, number),
                                "Positions in tokens at which documents begin")));
    }

    /** Iceberg's JSON form, the same for equal schemas. */
    public String json() {
        return json;
    }

    /** The schema in Iceberg's terms. */
    public Schema iceberg() {
        return iceberg;
    }

    /** The schema in Arrow's terms, with field ids; slices are built from it. */
    public org.apache.arrow.vector.types.pojo.Schema arrow() {
        return arrow;
    }

    List<Column> columns() {
        return columns;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PayloadSchema that && json.equals(that.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json;
    }
}
