package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Matching;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/**
 * The columns of a file that a dataset wants, and where their values go. A column that does not fit
 * is refused here, before a value was read.
 *
 * @param requested the file's schema, without what is not wanted
 */
record ParquetColumns(MessageType requested, GroupConverter root) {

    static ParquetColumns of(MessageType schema, List<Cells> columns) {
        Fields fields = fields(schema, columns);
        return new ParquetColumns(
                new MessageType(schema.getName(), fields.types()),
                new ParquetConverters.Fields(fields.converters()));
    }

    /** Appends the values of a row; the row itself is nothing. */
    RecordMaterializer<Boolean> materializer() {
        return new RecordMaterializer<>() {
            @Override
            public Boolean getCurrentRecord() {
                return true;
            }

            @Override
            public GroupConverter getRootConverter() {
                return root;
            }
        };
    }

    /** Some of a group's fields, and a converter for each. */
    private record Fields(List<Type> types, List<Converter> converters) {}

    /** A field as it is to be read. */
    private record Read(Type type, Converter converter) {}

    private static Fields fields(GroupType group, List<Cells> columns) {
        List<String> names = group.getFields().stream().map(Type::getName).toList();
        List<Type> types = new ArrayList<>();
        List<Converter> converters = new ArrayList<>();
        for (Map.Entry<Cells, Integer> match : Matching.of(columns, names).entrySet()) {
            Read read = field(group.getType(match.getValue()), match.getKey());
            types.add(read.type());
            converters.add(read.converter());
        }
        return new Fields(types, converters);
    }

    private static Read field(Type field, Cells target) {
        if (field.isRepetition(Repetition.REPEATED)) {
            throw target.refusal(
                    "the input's is repeated without being marked as a list; write it as one");
        }
        return value(field, target);
    }

    private static Read value(Type field, Cells target) {
        if (field.isPrimitive()) {
            return new Read(field, ParquetValues.of(field.asPrimitiveType(), target));
        }
        GroupType group = field.asGroupType();
        LogicalTypeAnnotation marked = group.getLogicalTypeAnnotation();
        TypeID wanted = target.type().typeId();
        if (marked instanceof ListLogicalTypeAnnotation && target.takesLists()) {
            return list(group, target);
        }
        boolean isMap =
                marked instanceof MapLogicalTypeAnnotation
                        || marked instanceof MapKeyValueTypeAnnotation;
        if (isMap && wanted == TypeID.MAP) {
            return map(group, target);
        }
        if (marked == null && wanted == TypeID.STRUCT) {
            Fields fields = fields(group, target.children());
            return new Read(
                    group.withNewFields(fields.types()),
                    new ParquetConverters.Nested(
                            target, new ParquetConverters.Fields(fields.converters())));
        }
        throw unfit(field, target);
    }

    private static Read list(GroupType group, Cells target) {
        Type repeated = onlyRepeated(group, target);
        Cells element = target.children().get(0);
        if (isElement(repeated, group)) {
            Read read = value(repeated, element);
            return nested(group, read.type(), target, read.converter());
        }
        GroupType wrapper = repeated.asGroupType();
        Read read = field(wrapper.getType(0), element);
        return nested(
                group,
                wrapper.withNewFields(read.type()),
                target,
                new ParquetConverters.Repeated(
                        List.of(element), new ParquetConverters.Fields(List.of(read.converter()))));
    }

    /**
     * Whether the repeated field is the element itself, as older writers had it, and not a wrapper
     * that lets the element be null: the rules of the Parquet format for reading old lists.
     */
    private static boolean isElement(Type repeated, GroupType list) {
        return repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() != 1
                || repeated.asGroupType().getType(0).isRepetition(Repetition.REPEATED)
                || repeated.getName().equals("array")
                || repeated.getName().equals(list.getName() + "_tuple");
    }

    private static Read map(GroupType group, Cells target) {
        Type repeated = onlyRepeated(group, target);
        if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 2) {
            throw target.refusal("the input's is a map without values; declare no map of it");
        }
        GroupType pair = repeated.asGroupType();
        Read key = field(pair.getType(0), target.children().get(0));
        Read value = field(pair.getType(1), target.children().get(1));
        return nested(
                group,
                pair.withNewFields(key.type(), value.type()),
                target,
                new ParquetConverters.Repeated(
                        target.children(),
                        new ParquetConverters.Fields(List.of(key.converter(), value.converter()))));
    }

    private static Read nested(GroupType group, Type inner, Cells target, Converter converter) {
        return new Read(
                group.withNewFields(inner),
                new ParquetConverters.Nested(
                        target, new ParquetConverters.Fields(List.of(converter))));
    }

    private static Type onlyRepeated(GroupType group, Cells target) {
        if (group.getFieldCount() != 1 || !group.getType(0).isRepetition(Repetition.REPEATED)) {
            throw unfit(group, target);
        }
        return group.getType(0);
    }

    static InvalidRequestException unfit(Type field, Cells target) {
        LogicalTypeAnnotation marked = field.getLogicalTypeAnnotation();
        String physical =
                field.isPrimitive()
                        ? field.asPrimitiveType().getPrimitiveTypeName().name()
                        : "group";
        return target.refusal(
                "it is "
                        + target.declared()
                        + " and the input's is "
                        + physical
                        + (marked == null ? "" : " " + Names.printable(marked.toString()))
                        + ", which does not fit without loss; convert it, or declare another type");
    }
}
