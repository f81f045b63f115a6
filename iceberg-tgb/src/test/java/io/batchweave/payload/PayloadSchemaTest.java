package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadSchemaTest {
    @ParameterizedTest
    @MethodSource("types")
    @Tag("PAYLOAD-3")
    @Tag("PAYLOAD-9")
    void everyTypeHasOneArrowForm(Type type, String arrow) {
        Field required = arrowOf(NestedField.required(1, "a", type));
        assertThat(required).hasToString("a: " + arrow + " not null");
        assertThat(required.getMetadata()).containsEntry("PARQUET:field_id", "1");
        assertThat(arrowOf(NestedField.optional(1, "a", type))).hasToString("a: " + arrow);
    }

    private static Field arrowOf(NestedField field) {
        return PayloadSchema.of(new Schema(field)).arrow().findField(field.name());
    }

    static Stream<Arguments> types() {
        Type number = Types.IntegerType.get();
        return Stream.of(
                Arguments.of(Types.BooleanType.get(), "Bool"),
                Arguments.of(number, "Int(32, true)"),
                Arguments.of(Types.LongType.get(), "Int(64, true)"),
                Arguments.of(Types.FloatType.get(), "FloatingPoint(SINGLE)"),
                Arguments.of(Types.DoubleType.get(), "FloatingPoint(DOUBLE)"),
                Arguments.of(Types.DecimalType.of(38, 9), "Decimal(38, 9, 128)"),
                Arguments.of(Types.DateType.get(), "Date(DAY)"),
                Arguments.of(Types.TimeType.get(), "Time(MICROSECOND, 64)"),
                Arguments.of(Types.TimestampType.withoutZone(), "Timestamp(MICROSECOND, null)"),
                Arguments.of(Types.TimestampType.withZone(), "Timestamp(MICROSECOND, UTC)"),
                Arguments.of(Types.TimestampNanoType.withoutZone(), "Timestamp(NANOSECOND, null)"),
                Arguments.of(Types.TimestampNanoType.withZone(), "Timestamp(NANOSECOND, UTC)"),
                Arguments.of(Types.StringType.get(), "Utf8"),
                Arguments.of(Types.UUIDType.get(), "FixedSizeBinary(16)"),
                Arguments.of(Types.FixedType.ofLength(3), "FixedSizeBinary(3)"),
                Arguments.of(Types.BinaryType.get(), "Binary"),
                Arguments.of(Types.ListType.ofOptional(2, number), "List<element: Int(32, true)>"),
                Arguments.of(
                        Types.StructType.of(NestedField.required(2, "x", number)),
                        "Struct<x: Int(32, true) not null>"),
                Arguments.of(
                        Types.MapType.ofOptional(2, 3, Types.StringType.get(), number),
                        "Map(false)<entries: Struct<key: Utf8 not null, value: Int(32, true)>"
                                + " not null>"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"variant", "geometry", "geography", "unknown", "fixed[0]"})
    @Tag("PAYLOAD-3")
    void whatArrowCannotCarryIsRefusedByName(String type) {
        assertThatThrownBy(() -> PayloadSchema.parse(json("\"" + type + "\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot carry field outer.a (field id 2) of type " + type);
    }

    @Test
    @Tag("PAYLOAD-3")
    void aStructNeedsAField() {
        assertThatThrownBy(() -> PayloadSchema.parse(json("{\"type\":\"struct\",\"fields\":[]}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("outer.a (field id 2)");
        assertThatThrownBy(() -> PayloadSchema.of(new Schema(List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no field");
    }

    private static String json(String type) {
        return """
        {"type":"struct","schema-id":0,"fields":[{"id":1,"name":"outer","required":true,"type":
          {"type":"struct","fields":[{"id":2,"name":"a","required":false,"type":%s}]}}]}"""
                .formatted(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{",
                "\"a\"",
                "{\"type\":\"list\"}",
                "7",
                "{}",
                "{\"type\":\"struct\",\"fields\":[null]}",
                "{\"type\":\"struct\",\"fields\":[{\"id\":1}]}"
            })
    void whatIsNoSchemaIsRefused(String json) {
        assertThatThrownBy(() -> PayloadSchema.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot read a payload schema from '" + json);
    }

    @Test
    void fieldsThatCannotBeToldApartAreRefused() {
        String field = "{\"id\":%d,\"name\":\"%s\",\"required\":true,\"type\":\"int\"}";
        for (String second : List.of(field.formatted(2, "a"), field.formatted(1, "b"))) {
            String fields = field.formatted(1, "a") + "," + second;
            assertThatThrownBy(
                            () ->
                                    PayloadSchema.parse(
                                            "{\"type\":\"struct\",\"fields\":[" + fields + "]}"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ultiple");
        }
    }

    @Test
    @Tag("PAYLOAD-4")
    void depthAndBreadthHaveLimits() {
        assertThat(PayloadSchema.of(nested(PayloadSchema.DEPTH_MAX)).columns()).hasSize(1);
        assertThatThrownBy(() -> PayloadSchema.of(nested(PayloadSchema.DEPTH_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested at most 48 deep");
        assertThat(PayloadSchema.of(wide(PayloadSchema.COLUMNS_MAX)).columns())
                .hasSize(PayloadSchema.COLUMNS_MAX);
        assertThatThrownBy(() -> PayloadSchema.of(wide(PayloadSchema.COLUMNS_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 4096 fields");
    }

    @Test
    @Tag("PAYLOAD-4")
    void evenAbsurdDepthIsRefusedByName() {
        int depth = 300;
        String opened =
                "{\"type\":\"list\",\"element-id\":%d,\"element-required\":true,\"element\":";
        StringBuilder type = new StringBuilder();
        for (int level = 0; level < depth; level++) {
            type.append(opened.formatted(level + 3));
        }
        type.append("\"int\"").append("}".repeat(depth));
        assertThatThrownBy(() -> PayloadSchema.parse(json(type.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot carry field outer.a.element.element")
                .hasMessageContaining("nested at most 48 deep");
    }

    private static Schema nested(int depth) {
        Type type = Types.IntegerType.get();
        for (int id = depth; id > 1; id--) {
            type = Types.ListType.ofRequired(id, type);
        }
        return new Schema(NestedField.required(1, "a", type));
    }

    private static Schema wide(int fields) {
        List<NestedField> wide = new ArrayList<>();
        for (int id = 1; id <= fields; id++) {
            wide.add(NestedField.required(id, "a" + id, Types.IntegerType.get()));
        }
        return new Schema(wide);
    }

    @Test
    void jsonSaysTheWholeSchema() {
        PayloadSchema tokens = PayloadSchema.tokens();
        PayloadSchema read = PayloadSchema.parse(tokens.json());
        assertThat(read).isEqualTo(tokens).hasSameHashCodeAs(tokens).hasToString(tokens.json());
        assertThat(read.arrow()).isEqualTo(tokens.arrow());
        assertThat(SchemaParser.fromJson(read.json()).sameSchema(tokens.iceberg())).isTrue();
        assertThat(PayloadSchema.of(new Schema(5, read.iceberg().columns()))).isNotEqualTo(read);
    }

    @Test
    @Tag("PAYLOAD-10")
    void tokenBatchesHaveFixedFieldIds() {
        assertThat(PayloadSchema.tokens().iceberg())
                .hasToString(
                        """
                        table {
                          1: tokens: required list<int> (Token ids, as many in every row)
                          2: valid: required int (How many of the tokens count, from the first)
                          3: doc_starts: required list<int> (Positions in tokens at which documents begin)
                        }""");
        assertThat(PayloadSchema.tokens().iceberg().findColumnName(4)).isEqualTo("tokens.element");
        assertThat(PayloadSchema.tokens().iceberg().findColumnName(5))
                .isEqualTo("doc_starts.element");
    }
}
