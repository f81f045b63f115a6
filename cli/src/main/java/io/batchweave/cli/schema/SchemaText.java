package io.batchweave.cli.schema;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import io.batchweave.payload.Dtype;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Fields in short: {@code tokens:list<int>!,doc:string,image:uint8[224,224,3]}. An exclamation mark
 * makes what stands before it required. Ids are given from 1, each field before those in it. A
 * tensor takes the place of a type, and then lies in fixed bytes, or follows the type that it lies
 * in: {@code binary as uint8[224,224,3]}.
 */
final class SchemaText {
    private final String text;
    private final Map<Integer, Tensor> tensors = new TreeMap<>();
    private int at;
    private int nextId = 1;

    private SchemaText(String text) {
        this.text = text;
    }

    static PayloadSchema parse(String text) {
        SchemaText reader = new SchemaText(text);
        List<NestedField> fields = reader.fields(1);
        if (reader.at < text.length()) {
            throw reader.refusal("here should be a comma or the end");
        }
        try {
            return PayloadSchema.of(new Schema(fields), reader.tensors);
        } catch (ValidationException e) {
            throw new InvalidRequestException(
                    "Cannot use the schema: " + Names.onOneLine(e.getMessage()), e);
        }
    }

    private List<NestedField> fields(int depth) {
        List<NestedField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        do {
            int start = at;
            String name = name();
            if (!names.add(name)) {
                at = start;
                throw refusal("a second field of this name");
            }
            expect(':', "a colon and a type");
            int id = nextId++;
            Type type = type(id, depth);
            fields.add(
                    required()
                            ? NestedField.required(id, name, type)
                            : NestedField.optional(id, name, type));
        } while (skip(','));
        return fields;
    }

    /** The type of the field of this id, and the tensor that it may be. */
    private Type type(int id, int depth) {
        Type type = storage(id, depth);
        if (!skipWord("as")) {
            return type;
        }
        int start = at;
        Dtype dtype =
                Dtype.named(word())
                        .orElseThrow(
                                () -> {
                                    at = start;
                                    return refusal("here should be one of " + Dtype.names());
                                });
        tensors.put(id, tensor(dtype));
        return type;
    }

    private Type storage(int id, int depth) {
        if (depth > PayloadSchema.DEPTH_MAX) {
            throw refusal("types are nested at most " + PayloadSchema.DEPTH_MAX + " deep");
        }
        int start = at;
        String name = word();
        return switch (name) {
            case "boolean" -> Types.BooleanType.get();
            case "int" -> Types.IntegerType.get();
            case "long" -> Types.LongType.get();
            case "float" -> Types.FloatType.get();
            case "double" -> Types.DoubleType.get();
            case "date" -> Types.DateType.get();
            case "time" -> Types.TimeType.get();
            case "timestamp" -> Types.TimestampType.withoutZone();
            case "timestamptz" -> Types.TimestampType.withZone();
            case "timestamp_ns" -> Types.TimestampNanoType.withoutZone();
            case "timestamptz_ns" -> Types.TimestampNanoType.withZone();
            case "string" -> Types.StringType.get();
            case "uuid" -> Types.UUIDType.get();
            case "binary" -> Types.BinaryType.get();
            case "decimal" -> decimal(start);
            case "fixed" -> fixed();
            case "list" -> list(depth);
            case "map" -> map(depth);
            case "struct" -> struct(depth);
            default -> {
                Optional<Dtype> dtype = Dtype.named(name);
                if (dtype.isEmpty()) {
                    at = start;
                    throw refusal("no type that is known; see create --help");
                }
                Tensor tensor = tensor(dtype.get());
                tensors.put(id, tensor);
                yield Types.FixedType.ofLength(tensor.bytes());
            }
        };
    }

    private Tensor tensor(Dtype dtype) {
        int start = at;
        expect('[', "[sizes of the axes]");
        List<Integer> shape = new ArrayList<>();
        do {
            shape.add(number());
        } while (skip(','));
        expect(']', "a closing bracket");
        try {
            return new Tensor(dtype, shape);
        } catch (IllegalArgumentException e) {
            at = start;
            throw refusal(e.getMessage());
        }
    }

    private Type decimal(int start) {
        expect('(', "(precision,scale)");
        int precision = number();
        expect(',', "a comma and the scale");
        int scale = number();
        expect(')', "a closing parenthesis");
        if (precision < 1 || precision > 38 || scale > precision) {
            at = start;
            throw refusal("a decimal has a precision of 1 to 38 and a scale of 0 to the precision");
        }
        return Types.DecimalType.of(precision, scale);
    }

    private Type fixed() {
        expect('(', "(bytes)");
        int bytes = number();
        expect(')', "a closing parenthesis");
        return Types.FixedType.ofLength(bytes);
    }

    private Type list(int depth) {
        expect('<', "<type>");
        int id = nextId++;
        Type element = type(id, depth + 1);
        boolean required = required();
        expect('>', "a closing >");
        return required
                ? Types.ListType.ofRequired(id, element)
                : Types.ListType.ofOptional(id, element);
    }

    /** The keys of a map are required in any case, and may say so. */
    private Type map(int depth) {
        expect('<', "<key type,value type>");
        int keyId = nextId++;
        Type key = type(keyId, depth + 2);
        required();
        expect(',', "a comma and the values' type");
        int valueId = nextId++;
        Type value = type(valueId, depth + 2);
        boolean required = required();
        expect('>', "a closing >");
        return required
                ? Types.MapType.ofRequired(keyId, valueId, key, value)
                : Types.MapType.ofOptional(keyId, valueId, key, value);
    }

    private Type struct(int depth) {
        expect('<', "<name:type,...>");
        List<NestedField> fields = fields(depth + 1);
        expect('>', "a closing >");
        return Types.StructType.of(fields);
    }

    private boolean required() {
        return skip('!');
    }

    private String name() {
        skipSpace();
        int start = at;
        while (at < text.length() && ":,<>!()[]".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String name = text.substring(start, at).strip();
        if (name.isEmpty()) {
            throw refusal("here should be a field's name");
        }
        return name;
    }

    private String word() {
        skipSpace();
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        return text.substring(start, at);
    }

    private int number() {
        skipSpace();
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        try {
            return Integer.parseInt(text.substring(start, at));
        } catch (NumberFormatException e) {
            at = start;
            throw refusal("here should be a number");
        }
    }

    private void expect(char expected, String what) {
        if (!skip(expected)) {
            throw refusal("here should be " + what);
        }
    }

    private boolean skip(char expected) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private boolean skipWord(String expected) {
        skipSpace();
        boolean there = text.startsWith(expected + " ", at);
        at += there ? expected.length() + 1 : 0;
        return there;
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private InvalidRequestException refusal(String why) {
        String rest = at < text.length() ? Names.printable(text.substring(at)) : "";
        return new InvalidRequestException(
                "Cannot read the schema at character "
                        + (at + 1)
                        + (rest.isEmpty() ? " (its end)" : " ('" + rest + "')")
                        + ": "
                        + why
                        + "; write fields such as 'tokens:list<int>!,doc:string', or name a file that"
                        + " ends in .json");
    }
}
