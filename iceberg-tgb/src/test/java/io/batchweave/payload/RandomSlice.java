package io.batchweave.payload;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * A schema and the content of a slice of it, both drawn from one seed.
 *
 * <p>Content is plain: a value is {@code Boolean}, {@code byte[]}, a {@code List} of elements or of
 * a struct's children, or null. A map is a list of entries.
 */
final class RandomSlice {
    private static final List<Type> LEAVES =
            List.of(
                    Types.BooleanType.get(),
                    Types.IntegerType.get(),
                    Types.LongType.get(),
                    Types.FloatType.get(),
                    Types.DoubleType.get(),
                    Types.DecimalType.of(9, 2),
                    Types.DecimalType.of(38, 10),
                    Types.DateType.get(),
                    Types.TimeType.get(),
                    Types.TimestampType.withoutZone(),
                    Types.TimestampType.withZone(),
                    Types.TimestampNanoType.withoutZone(),
                    Types.TimestampNanoType.withZone(),
                    Types.StringType.get(),
                    Types.UUIDType.get(),
                    Types.FixedType.ofLength(1),
                    Types.FixedType.ofLength(7),
                    Types.BinaryType.get());

    private final long seed;
    private final SplittableRandom random;
    private final PayloadSchema schema;
    private final List<List<Object>> rows = new ArrayList<>();
    private final double nullShare;
    private int ids;

    RandomSlice(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.nullShare = List.of(0.0, 0.1, 0.5, 1.0).get(random.nextInt(4));
        List<NestedField> fields = new ArrayList<>();
        int columns = random.nextInt(1, 5);
        for (int i = 0; i < columns; i++) {
            fields.add(field("c" + i, 0));
        }
        this.schema = PayloadSchema.of(new Schema(fields));
        int count = List.of(0, 1, 3, 20, 200).get(random.nextInt(5));
        for (int i = 0; i < count; i++) {
            rows.add(values(schema.columns()));
        }
    }

    PayloadSchema schema() {
        return schema;
    }

    /** One list of values per row. */
    List<List<Object>> rows() {
        return rows;
    }

    /** More rows of the same schema, each with every value that may be left out. */
    List<List<Object>> others(int count) {
        List<List<Object>> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> row = new ArrayList<>();
            schema.columns().forEach(column -> row.add(present(column)));
            others.add(row);
        }
        return others;
    }

    /** A value that is not null. */
    Object present(Column column) {
        return switch (column.form()) {
            case BITS -> random.nextBoolean();
            case FIXED -> bytes(column.width());
            case BYTES -> column.type().equals("string") ? text() : bytes(random.nextInt(5));
            case LIST -> {
                List<Object> elements = new ArrayList<>();
                int length = random.nextInt(4);
                for (int i = 0; i < length; i++) {
                    elements.add(value(column.children().get(0)));
                }
                yield elements;
            }
            case STRUCT -> values(column.children());
        };
    }

    private List<Object> values(List<Column> columns) {
        List<Object> values = new ArrayList<>();
        columns.forEach(column -> values.add(value(column)));
        return values;
    }

    private Object value(Column column) {
        boolean absent = !column.required() && random.nextDouble() < nullShare;
        return absent ? null : present(column);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        return bytes;
    }

    private byte[] text() {
        return "a\u00e9\u4e2d\ud83d\ude42"
                .substring(0, List.of(0, 1, 2, 3, 5).get(random.nextInt(5)))
                .getBytes(StandardCharsets.UTF_8);
    }

    private NestedField field(String name, int depth) {
        boolean optional = random.nextBoolean();
        int id = ++ids;
        return optional
                ? NestedField.optional(id, name, type(depth))
                : NestedField.required(id, name, type(depth));
    }

    private Type type(int depth) {
        int kind = depth < 3 ? random.nextInt(8) : 7;
        return switch (kind) {
            case 0, 1 -> {
                int id = ++ids;
                yield random.nextBoolean()
                        ? Types.ListType.ofOptional(id, type(depth + 1))
                        : Types.ListType.ofRequired(id, type(depth + 1));
            }
            case 2 -> {
                int key = ++ids;
                int value = ++ids;
                yield random.nextBoolean()
                        ? Types.MapType.ofOptional(key, value, leaf(), type(depth + 1))
                        : Types.MapType.ofRequired(key, value, leaf(), type(depth + 1));
            }
            case 3, 4 -> {
                List<NestedField> fields = new ArrayList<>();
                int count = random.nextInt(1, 4);
                for (int i = 0; i < count; i++) {
                    fields.add(field("f" + i, depth + 1));
                }
                yield Types.StructType.of(fields);
            }
            default -> leaf();
        };
    }

    private Type leaf() {
        return LEAVES.get(random.nextInt(LEAVES.size()));
    }

    @Override
    public String toString() {
        return "seed %d: %d rows of %s".formatted(seed, rows.size(), schema.json());
    }
}
