package io.batchweave.codec;

import io.batchweave.model.Bytes;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericArray;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericRecord;
import org.pcollections.PSortedMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * Binds Java records to Avro records of the same names: {@code openingId} is the field {@code
 * opening_id}, a sealed interface is a union of the records it permits, and a map by names is an
 * array of records with one more field, their name. Fields that a newer writer added are passed
 * over.
 */
final class RecordBinder {
    /** A union branch that this software has no record for. */
    static final class UnknownBranchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownBranchException(String name) {
            super(name);
        }
    }

    /** The field of a record that has what a map knows it by. */
    private static final String NAME = "name";

    private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();

    private RecordBinder() {}

    /** The Avro form of a record. */
    static GenericRecord toAvro(Record value, Schema schema) {
        GenericRecord bound = new GenericData.Record(schema);
        for (Field field : shape(value.getClass()).fields()) {
            Schema.Field target = schema.getField(field.name());
            bound.put(target.pos(), toAvroValue(field.of(value), target.schema()));
        }
        return bound;
    }

    private static Object toAvroValue(Object value, Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> toAvro((Record) value, schema);
            case UNION -> toAvro((Record) value, branch(schema, value.getClass().getSimpleName()));
            case ARRAY ->
                    value instanceof Map<?, ?> named
                            ? new GenericData.Array<>(schema, toAvroEntries(named, schema))
                            : new GenericData.Array<>(schema, toAvroItems((List<?>) value, schema));
            case BYTES -> ((Bytes) value).asBuffer();
            case FIXED -> new GenericData.Fixed(schema, ((Bytes) value).toArray());
            case ENUM -> new GenericData.EnumSymbol(schema, value);
            case LONG -> toAvroLong(value);
            default -> value;
        };
    }

    private static Object toAvroLong(Object value) {
        if (value instanceof Duration time) {
            return time.toMillis();
        }
        return value instanceof Instant time ? time.toEpochMilli() : value;
    }

    private static List<Object> toAvroItems(List<?> items, Schema array) {
        return items.stream().map(item -> toAvroValue(item, array.getElementType())).toList();
    }

    private static List<GenericRecord> toAvroEntries(Map<?, ?> named, Schema array) {
        List<GenericRecord> entries = new ArrayList<>();
        for (Map.Entry<?, ?> each : named.entrySet()) {
            GenericRecord bound = toAvro((Record) each.getValue(), array.getElementType());
            bound.put(NAME, each.getKey());
            entries.add(bound);
        }
        return entries;
    }

    private static Schema branch(Schema union, String name) {
        return union.getTypes().stream()
                .filter(type -> type.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The schema has no record " + name));
    }

    /**
     * The Java form of a record.
     *
     * @param ours the schema that has the defaults of fields an older writer did not know
     * @throws IllegalArgumentException if its values make no sense
     * @throws UnknownBranchException if a newer writer put something into a union
     */
    static <R extends Record> R fromAvro(GenericRecord bound, Class<R> type, Schema ours) {
        Shape shape = shape(type);
        Object[] values = new Object[shape.fields().size()];
        for (int i = 0; i < values.length; i++) {
            Field field = shape.fields().get(i);
            values[i] = fromAvroField(bound, field, ours.getField(field.name()));
        }
        return type.cast(shape.make(values));
    }

    private static Object fromAvroField(GenericRecord bound, Field field, Schema.Field ours) {
        String record = bound.getSchema().getName();
        Object value = bound.hasField(field.name()) ? bound.get(field.name()) : defaultOf(ours);
        if (value == null) {
            throw new IllegalArgumentException(record + " has no field " + field.name());
        }
        try {
            return fromAvroValue(value, field.type(), ours.schema());
        } catch (ClassCastException e) {
            throw new IllegalArgumentException(
                    record + " has a field " + field.name() + " of another type", e);
        }
    }

    private static Object defaultOf(Schema.Field field) {
        return field.hasDefaultValue() ? GenericData.get().getDefaultValue(field) : null;
    }

    private static Object fromAvroValue(Object value, Type type, Schema ours) {
        if (type instanceof ParameterizedType container) {
            Type[] arguments = container.getActualTypeArguments();
            GenericArray<?> items = (GenericArray<?>) value;
            return container.getRawType() == PSortedMap.class
                    ? fromAvroEntries(items, arguments[1], ours.getElementType())
                    : fromAvroItems(items, arguments[0], ours.getElementType());
        }
        Class<?> target = (Class<?>) type;
        if (target.isRecord()) {
            return fromAvro((GenericRecord) value, target.asSubclass(Record.class), ours);
        }
        if (target.isSealed()) {
            GenericRecord bound = (GenericRecord) value;
            String name = bound.getSchema().getName();
            return fromAvro(bound, permitted(target, name), branch(ours, name));
        }
        if (target.isEnum()) {
            return symbol(target, ((GenericEnumSymbol<?>) value).toString());
        }
        if (target == Bytes.class) {
            return value instanceof GenericData.Fixed fixed
                    ? Bytes.copyOf(fixed.bytes())
                    : Bytes.copyOf(remaining((ByteBuffer) value));
        }
        if (target == Instant.class) {
            return Instant.ofEpochMilli((Long) value);
        }
        if (target == Duration.class) {
            return Duration.ofMillis((Long) value);
        }
        return target == String.class
                ? ((CharSequence) value).toString()
                : MethodType.methodType(target).wrap().returnType().cast(value);
    }

    private static PVector<Object> fromAvroItems(GenericArray<?> items, Type type, Schema ours) {
        List<Object> values = new ArrayList<>();
        for (Object item : items) {
            values.add(fromAvroValue(item, type, ours));
        }
        return TreePVector.from(values);
    }

    private static PSortedMap<String, Object> fromAvroEntries(
            GenericArray<?> entries, Type type, Schema ours) {
        Map<String, Object> named = new TreeMap<>();
        for (Object entry : entries) {
            String name = ((CharSequence) ((GenericRecord) entry).get(NAME)).toString();
            if (named.put(name, fromAvroValue(entry, type, ours)) != null) {
                throw new IllegalArgumentException(name + " occurs twice");
            }
        }
        return TreePMap.from(named);
    }

    private static Class<? extends Record> permitted(Class<?> sealed, String name) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .filter(permitted -> permitted.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnknownBranchException(name))
                .asSubclass(Record.class);
    }

    private static Object symbol(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnknownBranchException(name));
    }

    private static byte[] remaining(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static Shape shape(Class<?> type) {
        return SHAPES.computeIfAbsent(type, Shape::of);
    }

    private record Field(String name, Type type, RecordComponent component) {
        Object of(Record value) {
            try {
                return component.getAccessor().invoke(value);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("Cannot read " + component, e);
            }
        }
    }

    private record Shape(List<Field> fields, Constructor<?> constructor) {
        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            List<Field> fields =
                    Arrays.stream(components)
                            .map(c -> new Field(snakeCase(c.getName()), c.getGenericType(), c))
                            .toList();
            Class<?>[] types =
                    Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new);
            try {
                return new Shape(fields, type.getDeclaredConstructor(types));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("A record has its canonical constructor", e);
            }
        }

        Object make(Object[] values) {
            try {
                return constructor.newInstance(values);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof IllegalArgumentException senseless) {
                    throw senseless;
                }
                throw new IllegalArgumentException(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Cannot make a " + constructor, e);
            }
        }
    }

    private static String snakeCase(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
