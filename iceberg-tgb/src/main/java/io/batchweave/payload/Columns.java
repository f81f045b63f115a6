package io.batchweave.payload;

import io.batchweave.model.Names;
import io.batchweave.payload.Column.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** Says in Arrow's terms what an Iceberg schema says, exactly or not at all. */
final class Columns {
    /** What the elements of a tensor are whose values are lists of these. */
    private static final Map<String, Dtype> ELEMENTS =
            Map.of(
                    "int", Dtype.INT32,
                    "long", Dtype.INT64,
                    "float", Dtype.FLOAT32,
                    "double", Dtype.FLOAT64);

    private final Map<Integer, Tensor> tensors;
    private final Set<Integer> ids = new HashSet<>();

    private Columns(Map<Integer, Tensor> tensors) {
        this.tensors = tensors;
    }

    /**
     * The columns of the fields of a struct.
     *
     * @param tensors by field id
     * @throws IllegalArgumentException naming a field that cannot be carried as it is
     */
    static List<Column> of(Types.StructType struct, Map<Integer, Tensor> tensors) {
        Columns columns = new Columns(tensors);
        List<Column> found = columns.children("", struct, 1);
        tensors.forEach(
                (id, tensor) -> {
                    if (!columns.ids.contains(id)) {
                        throw new IllegalArgumentException(
                                "Cannot carry the tensor %s: no field has the id %d"
                                        .formatted(tensor, id));
                    }
                });
        return found;
    }

    private List<Column> children(String parent, Types.StructType struct, int depth) {
        List<Column> columns = new ArrayList<>();
        for (NestedField field : struct.fields()) {
            columns.add(column(parent, field, depth));
        }
        return columns;
    }

    private Column column(String parent, NestedField field, int depth) {
        Spot spot = new Spot(parent, field, depth);
        ids.add(field.fieldId());
        if (ids.size() > PayloadSchema.COLUMNS_MAX || depth > PayloadSchema.DEPTH_MAX) {
            throw spot.refusal(
                    "a payload schema has at most %d fields, nested at most %d deep"
                            .formatted(PayloadSchema.COLUMNS_MAX, PayloadSchema.DEPTH_MAX));
        }
        if (field.fieldId() < 0) {
            throw spot.refusal("field ids start at 0");
        }
        Column column = column(spot, field.type());
        Tensor tensor = tensors.get(field.fieldId());
        return tensor == null ? column : tensor(spot, column, tensor);
    }

    private Column column(Spot spot, Type type) {
        return switch (type.typeId()) {
            case BOOLEAN ->
                    spot.column("boolean", Form.BITS, 0, ArrowType.Bool.INSTANCE, List.of());
            case INTEGER -> spot.fixed("int", 4, new ArrowType.Int(32, true));
            case LONG -> spot.fixed("long", 8, new ArrowType.Int(64, true));
            case FLOAT -> spot.fixed("float", 4, floating(FloatingPointPrecision.SINGLE));
            case DOUBLE -> spot.fixed("double", 8, floating(FloatingPointPrecision.DOUBLE));
            case DATE -> spot.fixed("date", 4, new ArrowType.Date(DateUnit.DAY));
            case TIME -> spot.fixed("time", 8, new ArrowType.Time(TimeUnit.MICROSECOND, 64));
            case TIMESTAMP ->
                    timestamp(
                            spot,
                            ((Types.TimestampType) type).shouldAdjustToUTC(),
                            TimeUnit.MICROSECOND);
            case TIMESTAMP_NANO ->
                    timestamp(
                            spot,
                            ((Types.TimestampNanoType) type).shouldAdjustToUTC(),
                            TimeUnit.NANOSECOND);
            case DECIMAL -> decimal(spot, (Types.DecimalType) type);
            case UUID -> spot.fixed("fixed[16]", 16, new ArrowType.FixedSizeBinary(16));
            case FIXED -> fixed(spot, ((Types.FixedType) type).length());
            case STRING -> spot.bytes("string", ArrowType.Utf8.INSTANCE);
            case BINARY -> spot.bytes("binary", ArrowType.Binary.INSTANCE);
            case LIST -> list(spot, type.asListType());
            case MAP -> map(spot, type.asMapType());
            case STRUCT -> struct(spot, type.asStructType());
            case VARIANT, GEOMETRY, GEOGRAPHY, UNKNOWN ->
                    throw spot.refusal("Arrow has no exact form of it; use another type");
        };
    }

    /** The column whose every value is the elements of a tensor, if its type can hold them. */
    private static Column tensor(Spot spot, Column column, Tensor tensor) {
        int size = column.form() == Form.LIST ? tensor.elements() : tensor.bytes();
        boolean fits =
                switch (spot.source().type().typeId()) {
                    case FIXED -> column.width() == size;
                    case BINARY -> true;
                    case LIST -> {
                        Column element = column.children().get(0);
                        yield element.required() && tensor.dtype() == ELEMENTS.get(element.type());
                    }
                    default -> false;
                };
        if (!fits) {
            throw spot.refusal(
                    "the tensor %s lies in fixed[%d], in binary, or, of int32, int64, float32 and float64, in a list of required int, long, float or double"
                            .formatted(tensor, tensor.bytes()));
        }
        return column.asTensor(tensor, column.form() == Form.FIXED ? 0 : size);
    }

    private static ArrowType floating(FloatingPointPrecision precision) {
        return new ArrowType.FloatingPoint(precision);
    }

    private static Column timestamp(Spot spot, boolean inUtc, TimeUnit unit) {
        String type = inUtc ? "timestamptz" : "timestamp";
        return spot.fixed(
                unit == TimeUnit.NANOSECOND ? type + "_ns" : type,
                8,
                new ArrowType.Timestamp(unit, inUtc ? "UTC" : null));
    }

    private static Column decimal(Spot spot, Types.DecimalType type) {
        return spot.fixed(
                "decimal(" + type.precision() + "," + type.scale() + ")",
                16,
                new ArrowType.Decimal(type.precision(), type.scale(), 128));
    }

    private static Column fixed(Spot spot, int length) {
        if (length < 1) {
            throw spot.refusal("values of no bytes cannot be counted; use a longer type");
        }
        return spot.fixed("fixed[" + length + "]", length, new ArrowType.FixedSizeBinary(length));
    }

    private Column struct(Spot spot, Types.StructType type) {
        if (type.fields().isEmpty()) {
            throw spot.refusal("a struct needs a field");
        }
        return spot.column(
                "struct",
                Form.STRUCT,
                0,
                ArrowType.Struct.INSTANCE,
                children(spot.path(), type, spot.depth() + 1));
    }

    private Column list(Spot spot, Types.ListType type) {
        Column element = column(spot.path(), type.fields().get(0), spot.depth() + 1);
        return spot.column("list", Form.LIST, 0, ArrowType.List.INSTANCE, List.of(element));
    }

    /** In Arrow a map is a list of structs; the struct is no field of Iceberg's. */
    private Column map(Spot spot, Types.MapType type) {
        List<Column> pair =
                type.fields().stream()
                        .map(field -> column(spot.path(), field, spot.depth() + 2))
                        .toList();
        ArrowType struct = ArrowType.Struct.INSTANCE;
        Field field =
                new Field(
                        MapVector.DATA_VECTOR_NAME, FieldType.notNullable(struct), fieldsOf(pair));
        Column entries =
                new Column(
                        spot.path() + ".entries",
                        Column.NO_ID,
                        "entries",
                        Form.STRUCT,
                        0,
                        0,
                        field,
                        pair);
        return spot.column("map", Form.LIST, 0, new ArrowType.Map(false), List.of(entries));
    }

    private static List<Field> fieldsOf(List<Column> columns) {
        return columns.stream().map(Column::field).toList();
    }

    /** Where in the schema a column is made. */
    private record Spot(String parent, NestedField source, int depth) {
        String path() {
            String name = Names.printable(source.name());
            return parent.isEmpty() ? name : parent + "." + name;
        }

        Column fixed(String type, int width, ArrowType arrow) {
            return column(type, Form.FIXED, width, arrow, List.of());
        }

        Column bytes(String type, ArrowType arrow) {
            return column(type, Form.BYTES, 0, arrow, List.of());
        }

        Column column(String type, Form form, int width, ArrowType arrow, List<Column> children) {
            int id = source.fieldId();
            FieldType fieldType =
                    new FieldType(
                            source.isOptional(),
                            arrow,
                            null,
                            Map.of(Column.ID_KEY, Integer.toString(id)));
            Field field = new Field(source.name(), fieldType, fieldsOf(children));
            return new Column(path(), id, type, form, width, 0, field, children);
        }

        IllegalArgumentException refusal(String why) {
            return new IllegalArgumentException(
                    "Cannot carry field %s (field id %d) of type %s: %s"
                            .formatted(
                                    path(),
                                    source.fieldId(),
                                    Names.printable(source.type().toString()),
                                    why));
        }
    }
}
