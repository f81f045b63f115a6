package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which schemas are read by. */
class SchemaRulesTest {
    @Test
    void ourOwnSchemaKeepsTheRules() {
        Schema own = new Schema.Parser().parse(ForeignObjects.ownSchema());

        assertThat(SchemaRules.check(own)).isSameAs(own);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'int'",
                "'string'",
                "{'type': 'enum', 'name': 'E', 'symbols': ['A']}",
                "{'type': 'fixed', 'name': 'F', 'size': 1}",
                "{'type': 'fixed', 'name': 'F', 'size': 65536}",
                "['null', 'int']",
                "['null']",
                "{'type': 'array', 'items': ['null', 'string']}",
                "{'type': 'map', 'values': 'bytes'}",
            })
    void valuesThatTakeBytesAreRead(String type) {
        assertThat(SchemaRules.check(recordOf(type))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'null'",
                "{'type': 'array', 'items': 'null'}",
                "{'type': 'map', 'values': 'null'}",
                "{'type': 'record', 'name': 'N', 'fields': []}",
                "['int', {'type': 'record', 'name': 'N', 'fields': []}]",
            })
    void valuesThatTakeNoByteAreRefused(String type) {
        assertRefused(recordOf(type), "a value of it takes no byte");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_537, 1 << 30})
    void fixedValuesAreOfSomeBytesAndNotOfMany(int size) {
        assertRefused(
                recordOf("{'type': 'fixed', 'name': 'F', 'size': " + size + "}"),
                "it has fixed values of " + size);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'int'",
                "{'type': 'array', 'items': 'int'}",
                "{'type': 'enum', 'name': 'E', 'symbols': ['A']}"
            })
    void whatIsNoRecordIsRefused(String type) {
        assertRefused(parsed(type), "it is no record");
    }

    /** The record around it makes one more, and so does the number at the bottom. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type': 'array', 'items': ",
                "{'type': 'map', 'values': ",
                "{'type': 'array', 'items': {'type': 'map', 'values': "
            })
    void typesLie32DeepAndNoDeeper(String opening) {
        int each = opening.split("type", -1).length - 1;
        String closing = "}".repeat(each);
        int most = 30 / each;

        assertThat(SchemaRules.check(recordOf(nested(opening, closing, most)))).isNotNull();
        assertRefused(recordOf(nested(opening, closing, most + 1)), "its types lie too deep");
    }

    private static String nested(String opening, String closing, int times) {
        return opening.repeat(times) + "'int'" + closing.repeat(times);
    }

    @Test
    void unionsAddToTheDepth() {
        String opening = "['null', {'type': 'array', 'items': ";

        assertThat(SchemaRules.check(recordOf(nested(opening, "}]", 15)))).isNotNull();
        assertRefused(recordOf(nested(opening, "}]", 16)), "its types lie too deep");
        assertRefused(
                recordOf("['int', " + nested("{'type': 'array', 'items': ", "}", 30) + "]"),
                "its types lie too deep");
    }

    /** Each record holds the one before, by name, so that nothing is nested in the text. */
    @Test
    void recordsThatWereLookedThroughBeforeAddToTheDepth() {
        assertThat(SchemaRules.check(chain(30, "%s"))).isNotNull();
        assertRefused(chain(31, "%s"), "its types lie too deep");
        assertThat(SchemaRules.check(chain(15, "{'type': 'array', 'items': %s}"))).isNotNull();
        assertRefused(chain(16, "{'type': 'array', 'items': %s}"), "its types lie too deep");
        assertThat(SchemaRules.check(chain(15, "{'type': 'map', 'values': %s}"))).isNotNull();
        assertRefused(chain(16, "{'type': 'map', 'values': %s}"), "its types lie too deep");
        assertThat(SchemaRules.check(chain(15, "['null', %s]"))).isNotNull();
        assertRefused(chain(16, "['null', %s]"), "its types lie too deep");
    }

    private static Schema chain(int links, String wrapping) {
        return parsed(
                record(
                        "Top",
                        IntStream.range(0, links)
                                .mapToObj(i -> record("R" + i, Stream.of(link(i, wrapping))))));
    }

    private static String link(int i, String wrapping) {
        return i == 0 ? "'int'" : wrapping.formatted("'R" + (i - 1) + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'Top'",
                "['null', 'Top']",
                "{'type': 'array', 'items': 'Top'}",
                "{'type': 'map', 'values': 'Top'}",
                "{'type': 'record', 'name': 'B', 'fields': [{'name': 'a', 'type': 'Top'}]}",
            })
    void typeThatContainsItselfIsRefused(String type) {
        assertRefused(recordOf(type), "its types lie too deep");
    }

    /** 2^28 paths lead through these records. */
    @Test
    @Timeout(60)
    void recordsThatShareTheirFieldsAreLookedThroughOnce() {
        Schema shared =
                parsed(
                        record(
                                "Top",
                                IntStream.range(0, 28)
                                        .mapToObj(
                                                i ->
                                                        record(
                                                                "R" + i,
                                                                Stream.of(
                                                                        link(i, "%s"),
                                                                        link(i, "%s"))))));

        assertThat(SchemaRules.check(shared)).isSameAs(shared);
    }

    private static void assertRefused(Schema schema, String why) {
        assertThatExceptionOfType(SchemaParseException.class)
                .isThrownBy(() -> SchemaRules.check(schema))
                .withMessage(why);
    }

    private static Schema recordOf(String type) {
        return parsed(record("Top", Stream.of(type)));
    }

    /** A record whose fields have these types. */
    private static String record(String name, Stream<String> types) {
        int[] fields = {0};
        return "{'type': 'record', 'name': '%s', 'fields': [%s]}"
                .formatted(
                        name,
                        types.map(
                                        type ->
                                                "{'name': 'f%d', 'type': %s}"
                                                        .formatted(fields[0]++, type))
                                .collect(Collectors.joining(",")));
    }

    private static Schema parsed(String schema) {
        return new Schema.Parser().parse(schema.replace('\'', '"'));
    }
}
