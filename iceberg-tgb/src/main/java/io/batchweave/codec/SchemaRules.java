package io.batchweave.codec;

import java.util.IdentityHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * What the schema in an object must keep before anything is read by it. An object brings its own
 * schema, and without rules a few bytes could claim more memory or a deeper recursion than there
 * is.
 *
 * <p>Every value takes at least one byte, so reading makes no more values than the object has
 * bytes; and no type lies deeper than {@value #DEPTH_MAX}, which leaves out all that contain
 * themselves.
 */
final class SchemaRules {
    private static final int DEPTH_MAX = 32;
    private static final int FIXED_BYTES_MAX = 1 << 16;

    /** Records are looked through once, however many fields have their type. */
    private final IdentityHashMap<Schema, Integer> heights = new IdentityHashMap<>();

    private SchemaRules() {}

    /**
     * Returns a record's schema that keeps the rules.
     *
     * @throws SchemaParseException if it breaks one, or is none of a record
     */
    static Schema check(Schema schema) {
        require(schema.getType() == Schema.Type.RECORD, "it is no record");
        new SchemaRules().height(schema, 0);
        return schema;
    }

    /** How many types lie one inside the other, from this one down. */
    private int height(Schema schema, int depth) {
        require(depth < DEPTH_MAX, "its types lie too deep");
        return switch (schema.getType()) {
            case RECORD -> recordHeight(schema, depth);
            case ARRAY -> 1 + height(schema.getElementType(), depth + 1);
            case MAP -> 1 + height(schema.getValueType(), depth + 1);
            case UNION -> 1 + unionHeight(schema, depth + 1);
            case NULL -> throw new SchemaParseException("a value of it takes no byte");
            case FIXED -> {
                int size = schema.getFixedSize();
                require(size >= 1 && size <= FIXED_BYTES_MAX, "it has fixed values of " + size);
                yield 1;
            }
            default -> 1;
        };
    }

    private int recordHeight(Schema schema, int depth) {
        Integer known = heights.get(schema);
        if (known == null) {
            require(!schema.getFields().isEmpty(), "a value of it takes no byte");
            int below = 0;
            for (Schema.Field field : schema.getFields()) {
                below = Math.max(below, height(field.schema(), depth + 1));
            }
            known = 1 + below;
            heights.put(schema, known);
        }
        require(depth + known <= DEPTH_MAX, "its types lie too deep");
        return known;
    }

    /**
     * The branch of a union is named by a byte of its own, so null is a value like others there.
     */
    private int unionHeight(Schema union, int depth) {
        return union.getTypes().stream()
                .filter(branch -> branch.getType() != Schema.Type.NULL)
                .mapToInt(branch -> height(branch, depth))
                .max()
                .orElse(0);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new SchemaParseException(otherwise);
        }
    }
}
