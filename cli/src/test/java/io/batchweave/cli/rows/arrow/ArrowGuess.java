package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.feed.RowInput;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** The schema of a dataset that a file's rows would fit, as far as there is one. */
public final class ArrowGuess {
    private final ArrowReader reader;
    private int nextId = 1;

    private ArrowGuess(ArrowReader reader) {
        this.reader = reader;
    }

    /** What an Arrow file or stream would fit; one column where its own schema cannot be read. */
    public static PayloadSchema of(Path path, RowInput kind) {
        BufferAllocator allocator = new RootAllocator(1 << 26);
        try (FileChannel channel = FileChannel.open(path);
                ArrowReader reader =
                        kind == RowInput.ARROW_FILE
                                ? new ArrowFileReader(channel, allocator)
                                : new ArrowStreamReader(
                                        new CheckedMessages(channel, allocator), allocator)) {
            List<Field> fields = reader.getVectorSchemaRoot().getSchema().getFields();
            return PayloadSchema.of(new Schema(0, new ArrowGuess(reader).fields(fields)));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return fallback();
        }
    }

    private static PayloadSchema fallback() {
        return SchemaArgument.parse("x:int");
    }

    private List<NestedField> fields(List<Field> fields) {
        List<NestedField> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            if (names.add(field.getName())) {
                all.add(NestedField.optional(nextId++, field.getName(), type(field)));
            }
        }
        return all;
    }

    private Type type(Field field) {
        if (field.getDictionary() != null) {
            return type(reader.lookup(field.getDictionary().getId()).getVector().getField());
        }
        ArrowType type = field.getType();
        if (type instanceof ArrowType.Bool) {
            return Types.BooleanType.get();
        }
        if (type instanceof ArrowType.Int whole) {
            int bits = whole.getBitWidth() + (whole.getIsSigned() ? 0 : 1);
            return bits <= 32 ? Types.IntegerType.get() : Types.LongType.get();
        }
        if (type instanceof ArrowType.FloatingPoint floating) {
            return floating.getPrecision().getFlatbufID() < 2
                    ? Types.FloatType.get()
                    : Types.DoubleType.get();
        }
        if (type instanceof ArrowType.Decimal decimal) {
            return Types.DecimalType.of(Math.min(38, decimal.getPrecision()), decimal.getScale());
        }
        if (type instanceof ArrowType.Date) {
            return Types.DateType.get();
        }
        if (type instanceof ArrowType.Time) {
            return Types.TimeType.get();
        }
        if (type instanceof ArrowType.Timestamp time) {
            boolean zoned = time.getTimezone() != null;
            return time.getUnit() == TimeUnit.NANOSECOND
                    ? (zoned
                            ? Types.TimestampNanoType.withZone()
                            : Types.TimestampNanoType.withoutZone())
                    : (zoned ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone());
        }
        if (type instanceof ArrowType.FixedSizeBinary fixed) {
            return Types.FixedType.ofLength(fixed.getByteWidth());
        }
        if (type instanceof ArrowType.Binary
                || type instanceof ArrowType.LargeBinary
                || type instanceof ArrowType.BinaryView) {
            return Types.BinaryType.get();
        }
        if (type instanceof ArrowType.Struct && !field.getChildren().isEmpty()) {
            return Types.StructType.of(fields(field.getChildren()));
        }
        if (type instanceof ArrowType.Map) {
            List<Field> pair = field.getChildren().get(0).getChildren();
            int key = nextId++;
            int value = nextId++;
            return Types.MapType.ofOptional(key, value, type(pair.get(0)), type(pair.get(1)));
        }
        if (type instanceof ArrowType.List
                || type instanceof ArrowType.LargeList
                || type instanceof ArrowType.FixedSizeList) {
            return Types.ListType.ofOptional(nextId++, type(field.getChildren().get(0)));
        }
        return Types.StringType.get();
    }
}
