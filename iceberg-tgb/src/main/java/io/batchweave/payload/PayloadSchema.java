package io.batchweave.payload;

import io.batchweave.model.Names;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The schema of a dataset's payload, in Iceberg's terms and in Arrow's.
 *
 * <p>Fields are known by their ids: the Arrow schema carries them as {@code PARQUET:field_id}, and
 * whoever builds slices from {@link #arrow} gets them right without knowing. A column that is a
 * tensor says so there too, as {@code batchweave.tensor}.
 */
public final class PayloadSchema {
    /** Most fields, at all depths together. */
    public static final int COLUMNS_MAX = 4_096;

    /** Deepest nesting, in levels of Arrow fields: a list adds one, a map two. */
    public static final int DEPTH_MAX = 48;

    private final Schema iceberg;
    private final SortedMap<Integer, Tensor> tensors;
    private final String json;
    private final List<Column> columns;
    private final org.apache.arrow.vector.types.pojo.Schema arrow;

    private PayloadSchema(Schema iceberg, SortedMap<Integer, Tensor> tensors) {
        this.iceberg = iceberg;
        this.tensors = tensors;
        this.columns = Columns.of(iceberg.asStruct(), tensors);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(
                    "Cannot carry a payload schema: it has no field; add one");
        }
        this.json = Tensors.with(SchemaParser.toJson(iceberg), tensors);
        this.arrow =
                new org.apache.arrow.vector.types.pojo.Schema(
                        columns.stream().map(Column::field).toList());
    }

    /**
     * Reads Iceberg's JSON form of a schema, with the tensors that it may declare.
     *
     * @throws IllegalArgumentException if it is none, or naming the first field that Arrow cannot
     *     carry bit for bit (variant, geometry, geography and unknown) or that is no such tensor
     */
    public static PayloadSchema parse(String icebergJson) {
        Schema schema;
        SortedMap<Integer, Tensor> tensors;
        try {
            schema = SchemaParser.fromJson(icebergJson);
            tensors = Tensors.of(icebergJson);
        } catch (UncheckedIOException | ValidationException | IllegalArgumentException e) {
            throw unreadable(icebergJson, e);
        }
        return of(schema, tensors);
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
        return of(schema, Map.of());
    }

    /**
     * The payload schema that says what an Iceberg schema says, and which columns are tensors.
     *
     * @param tensors by field id
     * @throws IllegalArgumentException naming the first field that Arrow cannot carry bit for bit,
     *     or that cannot be such a tensor
     */
    public static PayloadSchema of(Schema schema, Map<Integer, Tensor> tensors) {
        return new PayloadSchema(schema, Collections.unmodifiableSortedMap(new TreeMap<>(tensors)));
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

    /** The columns that are tensors, by field id. */
    public SortedMap<Integer, Tensor> tensors() {
        return tensors;
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
