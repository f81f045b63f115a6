package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

class LogicalDigestTest {
    @Provide
    Arbitrary<RandomSlice> slices() {
        return Arbitraries.longs().map(RandomSlice::new);
    }

    @Property(tries = 500)
    @Tag("PAYLOAD-11")
    void isThatOfTheSpecification(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            assertThat(LogicalDigest.of(slice.schema(), root)).isEqualTo(DigestModel.of(slice));
        }
    }

    @Property(tries = 500)
    @Tag("PAYLOAD-11")
    void layoutDoesNotCount(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot junk = Vectors.withJunk(slice, allocator);
                VectorSchemaRoot middle = Vectors.fromTheMiddle(slice, allocator)) {
            assertThat(LogicalDigest.of(slice.schema(), junk)).isEqualTo(DigestModel.of(slice));
            assertThat(LogicalDigest.of(slice.schema(), middle)).isEqualTo(DigestModel.of(slice));
        }
    }

    @Property(tries = 500)
    @Tag("PAYLOAD-11")
    void everyValueCounts(@ForAll("slices") RandomSlice slice, @ForAll long seed) {
        Assume.that(!slice.rows().isEmpty());
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Object>> changed = new ArrayList<>(slice.rows());
        int row = random.nextInt(changed.size());
        changed.set(row, changed(slice.schema().columns(), changed.get(row), random));
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows());
                VectorSchemaRoot other = Vectors.of(slice.schema(), allocator, changed)) {
            assertThat(LogicalDigest.of(slice.schema(), other))
                    .isNotEqualTo(LogicalDigest.of(slice.schema(), root));
        }
    }

    /** The values with one of them, somewhere below, made different. */
    private static List<Object> changed(
            List<Column> columns, List<?> values, SplittableRandom random) {
        int i = random.nextInt(columns.size());
        List<Object> changed = new ArrayList<>(values);
        changed.set(i, changed(columns.get(i), values.get(i), random));
        return changed;
    }

    private static Object changed(Column column, Object value, SplittableRandom random) {
        if (!column.required() && value != null && random.nextInt(4) == 0) {
            return null;
        }
        return switch (column.form()) {
            case BITS -> value != null && !((Boolean) value);
            case FIXED -> {
                byte[] bytes = value == null ? new byte[column.width()] : ((byte[]) value).clone();
                bytes[random.nextInt(bytes.length)] ^= (byte) (value == null ? 0 : 1);
                yield bytes;
            }
            case BYTES -> {
                byte[] bytes = value == null ? new byte[0] : (byte[]) value;
                yield Arrays.copyOf(bytes, bytes.length + (value == null ? 0 : 1));
            }
            case LIST -> changedList(column, (List<?>) value, random);
            case STRUCT -> {
                List<?> children = value == null ? nulls(column) : (List<?>) value;
                yield value == null ? children : changed(column.children(), children, random);
            }
        };
    }

    private static Object changedList(Column column, List<?> value, SplittableRandom random) {
        if (value == null || value.isEmpty()) {
            return value == null ? List.of() : List.of(zero(column.children().get(0)));
        }
        List<Object> changed = new ArrayList<>(value);
        int i = random.nextInt(value.size());
        changed.set(i, changed(column.children().get(0), value.get(i), random));
        return changed;
    }

    private static List<Object> nulls(Column column) {
        List<Object> values = new ArrayList<>();
        column.children().forEach(child -> values.add(child.required() ? zero(child) : null));
        return values;
    }

    private static Object zero(Column column) {
        return switch (column.form()) {
            case BITS -> false;
            case FIXED -> new byte[column.width()];
            case BYTES -> new byte[0];
            case LIST -> List.of();
            case STRUCT -> nulls(column);
        };
    }

    @Test
    @org.junit.jupiter.api.Tag("PAYLOAD-11")
    void namesAndRequirednessDoNotCount() {
        Type number = Types.IntegerType.get();
        Bytes digest = digest(NestedField.required(7, "a", number), 1, 2);
        assertThat(digest(NestedField.optional(7, "b", number), 1, 2)).isEqualTo(digest);
        assertThat(digest(NestedField.required(8, "a", number), 1, 2)).isNotEqualTo(digest);
        assertThat(digest(NestedField.required(7, "a", number), 2, 1)).isNotEqualTo(digest);
        assertThat(digest(NestedField.required(7, "a", number), 1)).isNotEqualTo(digest);
        assertThat(digest(NestedField.required(7, "a", number))).isNotEqualTo(digest);
    }

    @Test
    @org.junit.jupiter.api.Tag("PAYLOAD-11")
    void staysWhatItWas() {
        assertThat(digest(NestedField.required(1, "a", Types.IntegerType.get()), 1, 2).toHex())
                .isEqualTo("23fe7d0bd7108679a4a66cc9c13d4a51daa072683c79c8c259fc6bfed770ba10");
    }

    private static Bytes digest(NestedField field, int... values) {
        PayloadSchema schema = PayloadSchema.of(new Schema(field));
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema.arrow(), allocator)) {
            for (int i = 0; i < values.length; i++) {
                ((IntVector) root.getVector(0)).setSafe(i, values[i]);
            }
            root.setRowCount(values.length);
            return LogicalDigest.of(schema, root);
        }
    }
}
