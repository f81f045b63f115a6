package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose values are tensors. */
class TensorTest {
    private static final Tensor IMAGE = new Tensor(Dtype.UINT8, List.of(2, 2, 3));
    private static final Tensor VECTOR = new Tensor(Dtype.FLOAT32, List.of(3));
    private static final Type FLOATS = Types.ListType.ofRequired(9, Types.FloatType.get());

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    @Test
    @Tag("PAYLOAD-12")
    void aTensorIsPartOfTheSchemaAndNothingToIceberg() {
        Schema columns =
                new Schema(
                        NestedField.required(1, "image", Types.FixedType.ofLength(12)),
                        NestedField.optional(2, "v", FLOATS));
        PayloadSchema schema = PayloadSchema.of(columns, Map.of(2, VECTOR, 1, IMAGE));

        assertThat(schema.json())
                .endsWith(
                        "],\"tensors\":[{\"field-id\":1,\"dtype\":\"uint8\",\"shape\":[2,2,3]},"
                                + "{\"field-id\":2,\"dtype\":\"float32\",\"shape\":[3]}]}");
        assertThat(PayloadSchema.parse(schema.json())).isEqualTo(schema);
        assertThat(PayloadSchema.parse(schema.json()).tensors())
                .isEqualTo(Map.of(1, IMAGE, 2, VECTOR));
        assertThat(SchemaParser.fromJson(schema.json()).sameSchema(columns)).isTrue();
        assertThat(PayloadSchema.of(columns)).isNotEqualTo(schema);
    }

    @Test
    @Tag("PAYLOAD-13")
    void theArrowFieldSaysTheTensorAtAnyDepth() {
        Type list = Types.ListType.ofRequired(2, Types.FixedType.ofLength(12));
        PayloadSchema schema =
                PayloadSchema.of(
                        new Schema(NestedField.required(1, "images", list)), Map.of(2, IMAGE));

        assertThat(schema.arrow().findField("images").getChildren().get(0).getMetadata())
                .containsEntry("batchweave.tensor", "{\"dtype\":\"uint8\",\"shape\":[2,2,3]}")
                .containsEntry("PARQUET:field_id", "2");
        assertThat(schema.arrow().findField("images").getMetadata())
                .doesNotContainKey("batchweave.tensor");
    }

    @Test
    void sizesAreCountedInElementsAndBytes() {
        assertThat(IMAGE.elements()).isEqualTo(12);
        assertThat(new Tensor(Dtype.BFLOAT16, List.of(2, 5)).bytes()).isEqualTo(20);
        assertThat(IMAGE).hasToString("uint8[2,2,3]");
        assertThat(Dtype.named("float8_e4m3fn")).contains(Dtype.FLOAT8_E4M3FN);
        assertThat(Dtype.named("FLOAT16")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "fixed[11];uint8;[2,2,3]",
                "uuid;uint8;[16]",
                "string;uint8;[3]",
                "int;int32;[1]",
            })
    @Tag("PAYLOAD-12")
    void aColumnThatCannotHoldItIsRefused(String type, String dtype, String shape) {
        assertThatThrownBy(() -> PayloadSchema.parse(json("\"" + type + "\"", 1, dtype, shape)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot carry field a (field id 1) of type " + type)
                .hasMessageContaining("the tensor " + dtype + shape + " lies in fixed[");
    }

    @ParameterizedTest
    @CsvSource({"float,false,float32", "float,true,float64", "int,true,uint32", "string,true,bool"})
    @Tag("PAYLOAD-12")
    void aListOfOtherElementsIsRefused(String element, boolean required, String dtype) {
        String list =
                "{\"type\":\"list\",\"element-id\":2,\"element\":\"%s\",\"element-required\":%s}"
                        .formatted(element, required);
        assertThatThrownBy(() -> PayloadSchema.parse(json(list, 1, dtype, "[3]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in a list of required int, long, float or double");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[0]", "[2,-1]", "[2147483647,2]", "3", "[1.5]", "[\"3\"]"})
    @Tag("PAYLOAD-12")
    void shapesThatCannotBeAreRefused(String shape) {
        assertThatThrownBy(() -> PayloadSchema.parse(json("\"binary\"", 1, "uint8", shape)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot read a payload schema");
    }

    @Test
    @Tag("PAYLOAD-12")
    void moreAxesOrBytesThanThereCanBeAreRefused() {
        List<Integer> ones = Collections.nCopies(Tensor.AXES_MAX, 1);
        List<Integer> more = new ArrayList<>(ones);
        more.add(1);
        assertThat(new Tensor(Dtype.INT64, ones).bytes()).isEqualTo(8);
        assertThatThrownBy(() -> new Tensor(Dtype.INT64, more)).hasMessageContaining("32 axes");
        assertThat(new Tensor(Dtype.INT64, List.of(1 << 27)).bytes()).isEqualTo(1 << 30);
        assertThatThrownBy(() -> new Tensor(Dtype.INT64, List.of((1 << 27) + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1073741824 bytes");
    }

    @Test
    @Tag("PAYLOAD-12")
    void tensorsOfNoFieldOrNoFormAreRefused() {
        String good = "{\"field-id\":1,\"dtype\":\"uint8\",\"shape\":[3]}";
        for (String tensors :
                List.of(
                        good,
                        "[" + good + "," + good + "]",
                        "[{\"dtype\":\"uint8\",\"shape\":[3]}]",
                        "[{\"field-id\":1,\"dtype\":\"uint9\",\"shape\":[3]}]",
                        "[{\"field-id\":1,\"shape\":[3]}]",
                        "[7]")) {
            assertThatThrownBy(() -> PayloadSchema.parse(json("\"binary\"", tensors)))
                    .as(tensors)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Cannot read a payload schema");
        }
        assertThatThrownBy(() -> PayloadSchema.parse(json("\"binary\"", 2, "uint8", "[3]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot carry the tensor uint8[3]: no field has the id 2");
    }

    @Test
    @Tag("PAYLOAD-12")
    void aValueOfAnotherSizeIsNotWritten() {
        PayloadSchema images = schema(Types.BinaryType.get(), IMAGE);
        PartWriter writer = new PartWriter(new MemoryUpload(), images);
        try (VectorSchemaRoot slice = rows(images, new byte[12], null, new byte[11])) {
            assertThatThrownBy(() -> writer.write(slice))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "Cannot take column a (field id 1): it is a tensor of 12 bytes, and one"
                                    + " of its values has 11; give each its whole shape");
        }
        PayloadSchema vectors = schema(FLOATS, VECTOR);
        List<byte[]> two = List.of(new byte[4], new byte[4]);
        try (VectorSchemaRoot slice = rows(vectors, two)) {
            assertThatThrownBy(() -> new PartWriter(new MemoryUpload(), vectors).write(slice))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("a tensor of 3 elements, and one of its values has 2");
        }
    }

    @Test
    @Tag("PAYLOAD-8")
    @Tag("PAYLOAD-13")
    void aValueOfAnotherSizeIsCorruptAndNullsAreNot() {
        PayloadSchema plain = PayloadSchema.of(new Schema(field(Types.BinaryType.get())));
        PayloadSchema images = schema(Types.BinaryType.get(), IMAGE);
        try (VectorSchemaRoot whole = rows(plain, new byte[12], null, new byte[12]);
                VectorSchemaRoot ragged = rows(plain, new byte[12], null, new byte[11])) {
            Written sound = Written.of(images, whole);
            assertThat(rowsRead(images, sound)).isEqualTo(3);
            assertThat(LogicalDigest.of(images, whole)).isEqualTo(LogicalDigest.of(plain, whole));
            Written unsound = Written.of(plain, ragged);
            assertThatThrownBy(() -> rowsRead(images, unsound))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining(
                            "column a (field id 1): a value is not of the tensor's size");
        }
    }

    private int rowsRead(PayloadSchema schema, Written written) {
        Slice at = written.slice(0);
        try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at));
                VectorSchemaRoot read =
                        new SliceReader(schema, allocator).read(bytes, at, Written.OBJECT)) {
            return read.getRowCount();
        }
    }

    private VectorSchemaRoot rows(PayloadSchema schema, Object... values) {
        List<List<Object>> rows = Arrays.stream(values).map(Collections::singletonList).toList();
        return Vectors.of(schema, allocator, rows);
    }

    private static PayloadSchema schema(Type type, Tensor tensor) {
        return PayloadSchema.of(new Schema(field(type)), Map.of(1, tensor));
    }

    private static NestedField field(Type type) {
        return NestedField.optional(1, "a", type);
    }

    private static String json(String type, int id, String dtype, String shape) {
        String tensor = "[{\"field-id\":%d,\"dtype\":\"%s\",\"shape\":%s}]";
        return json(type, tensor.formatted(id, dtype, shape));
    }

    private static String json(String type, String tensors) {
        return """
        {"type":"struct","fields":[{"id":1,"name":"a","required":true,"type":%s}],"tensors":%s}"""
                .formatted(type, tensors);
    }
}
