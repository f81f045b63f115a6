package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** The schema of a dataset that a Parquet file's rows would fit, as far as there is one. */
public final class ParquetGuess {
    private int nextId = 1;

    public static PayloadSchema of(Path path) {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new ParquetCodecs(new HeapShare(1 << 20), path::toString))
                        .build();
        try (ParquetFileReader file = ParquetFileReader.open(new LocalInputFile(path), options)) {
            return PayloadSchema.of(
                    new Schema(0, new ParquetGuess().fields(file.getFileMetaData().getSchema())));
        } catch (IOException | RuntimeException e) {
            return SchemaArgument.parse("x:int");
        }
    }

    private List<NestedField> fields(GroupType group) {
        List<NestedField> all = new ArrayList<>();
        for (Type field : group.getFields()) {
            all.add(NestedField.optional(nextId++, field.getName(), type(field)));
        }
        return all;
    }

    private org.apache.iceberg.types.Type type(Type field) {
        if (field.isPrimitive()) {
            return primitive(field.asPrimitiveType());
        }
        GroupType group = field.asGroupType();
        LogicalTypeAnnotation mark = group.getLogicalTypeAnnotation();
        if (mark == null) {
            return Types.StructType.of(fields(group));
        }
        Type inner = group.getType(0);
        if (mark.equals(LogicalTypeAnnotation.listType())) {
            boolean bare =
                    inner.isPrimitive()
                            || inner.asGroupType().getFieldCount() > 1
                            || inner.getName().equals("array");
            return Types.ListType.ofOptional(
                    nextId++, type(bare ? inner : inner.asGroupType().getType(0)));
        }
        List<Type> pair = inner.asGroupType().getFields();
        int key = nextId++;
        int value = nextId++;
        return Types.MapType.ofOptional(
                key,
                value,
                type(pair.get(0)),
                pair.size() < 2 ? Types.IntegerType.get() : type(pair.get(1)));
    }

    private static org.apache.iceberg.types.Type primitive(PrimitiveType type) {
        LogicalTypeAnnotation mark = type.getLogicalTypeAnnotation();
        if (mark instanceof DecimalLogicalTypeAnnotation decimal) {
            return Types.DecimalType.of(decimal.getPrecision(), decimal.getScale());
        }
        if (mark instanceof TimestampLogicalTypeAnnotation time) {
            return time.isAdjustedToUTC()
                    ? Types.TimestampNanoType.withZone()
                    : Types.TimestampNanoType.withoutZone();
        }
        if (mark instanceof DateLogicalTypeAnnotation) {
            return Types.DateType.get();
        }
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> Types.BooleanType.get();
            case INT32 -> Types.IntegerType.get();
            case INT64 -> Types.LongType.get();
            case FLOAT -> Types.FloatType.get();
            case DOUBLE -> Types.DoubleType.get();
            case INT96 -> Types.TimestampType.withZone();
            case BINARY ->
                    mark instanceof StringLogicalTypeAnnotation
                            ? Types.StringType.get()
                            : Types.BinaryType.get();
            case FIXED_LEN_BYTE_ARRAY ->
                    mark instanceof Float16LogicalTypeAnnotation
                            ? Types.FloatType.get()
                            : Types.FixedType.ofLength(type.getTypeLength());
        };
    }
}
