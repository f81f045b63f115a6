package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.apache.arrow.vector.util.DateUtility;

/** Whatever rows are written as JSON lines, the same are read. */
class JsonPropertyTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PayloadSchema SCHEMA =
            SchemaArgument.parse(
                    "int:int,long:long,float:float,double:double,decimal:decimal(12,3),date:date,"
                            + "ts:timestamp,tz:timestamptz,string:string,binary:binary,"
                            + "list:list<long>");

    /** A value as JSON says it and as the row shows it. */
    private record Cell(Object json, String shown) {}

    @Property(tries = 200)
    void rowsAreReadAsTheyWereWritten(@ForAll("rows") List<Map<String, Cell>> rows)
            throws IOException {
        Path file = Files.createTempFile("rows", ".jsonl");
        try {
            Files.writeString(file, lines(rows));
            List<String> shown = Drained.of(SCHEMA, new RowSettings.ByRows(3), file).rows();

            assertThat(shown).containsExactlyElementsOf(rows.stream().map(this::shown).toList());
        } finally {
            Files.delete(file);
        }
    }

    private static String lines(List<Map<String, Cell>> rows) throws JsonProcessingException {
        StringBuilder lines = new StringBuilder();
        for (Map<String, Cell> row : rows) {
            Map<String, Object> object = new LinkedHashMap<>();
            row.forEach((name, cell) -> object.put(name, cell.json()));
            lines.append(JSON.writeValueAsString(object)).append('\n');
        }
        return lines.toString();
    }

    private String shown(Map<String, Cell> row) {
        List<String> values = new ArrayList<>();
        for (var column : SCHEMA.iceberg().columns()) {
            values.add(row.getOrDefault(column.name(), new Cell(null, "null")).shown());
        }
        return String.join("|", values);
    }

    @Provide
    Arbitrary<List<Map<String, Cell>>> rows() {
        return Combinators.combine(
                        List.of(
                                named("int", Arbitraries.integers().map(JsonPropertyTest::same)),
                                named("long", Arbitraries.longs().map(JsonPropertyTest::same)),
                                named("float", floats()),
                                named("double", doubles()),
                                named("decimal", decimals()),
                                named("date", dates()),
                                named("ts", times("")),
                                named("tz", times("Z")),
                                named("string", Arbitraries.strings().map(JsonPropertyTest::same)),
                                named("binary", binaries()),
                                named(
                                        "list",
                                        Arbitraries.longs()
                                                .injectNull(0.1)
                                                .list()
                                                .ofMaxSize(4)
                                                .map(JsonPropertyTest::list))))
                .as(
                        cells -> {
                            Map<String, Cell> row = new LinkedHashMap<>();
                            cells.forEach(row::putAll);
                            return row;
                        })
                .list()
                .ofMaxSize(8);
    }

    /** The field, or none, or null. */
    private static Arbitrary<Map<String, Cell>> named(String name, Arbitrary<Cell> cells) {
        return Arbitraries.frequencyOf(
                Tuple.of(8, cells.map(cell -> Map.of(name, cell))),
                Tuple.of(1, Arbitraries.just(Map.of())),
                Tuple.of(1, Arbitraries.just(Map.of(name, new Cell(null, "null")))));
    }

    private static Cell same(Object value) {
        return new Cell(value, value.toString());
    }

    private static Cell list(List<Long> values) {
        return new Cell(values, values.toString().replace(" ", ""));
    }

    private static Arbitrary<Cell> floats() {
        return Arbitraries.integers()
                .map(Float::intBitsToFloat)
                .map(value -> Float.isFinite(value) ? same(value) : same(value.toString()));
    }

    private static Arbitrary<Cell> doubles() {
        return Arbitraries.longs()
                .map(Double::longBitsToDouble)
                .map(value -> Double.isFinite(value) ? same(value) : same(value.toString()));
    }

    private static Arbitrary<Cell> decimals() {
        return Arbitraries.longs()
                .between(-999_999_999_999L, 999_999_999_999L)
                .map(unscaled -> new BigDecimal(BigInteger.valueOf(unscaled), 3))
                .map(value -> new Cell(value, value.toPlainString()));
    }

    private static Arbitrary<Cell> dates() {
        return Arbitraries.integers()
                .map(day -> new Cell(LocalDate.ofEpochDay(day).toString(), day.toString()));
    }

    private static Arbitrary<Cell> times(String zone) {
        return Arbitraries.longs()
                .map(
                        us -> {
                            LocalDateTime time =
                                    LocalDateTime.ofEpochSecond(
                                            Math.floorDiv(us, 1_000_000L),
                                            (int) Math.floorMod(us, 1_000_000L) * 1_000,
                                            ZoneOffset.UTC);
                            return new Cell(
                                    time + zone, zone.isEmpty() ? shown(us) : us.toString());
                        });
    }

    /** Arrow shows a time without a zone by its milliseconds and microseconds. */
    private static String shown(long us) {
        return DateUtility.getLocalDateTimeFromEpochMicro(us).toString();
    }

    private static Arbitrary<Cell> binaries() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(9)
                .map(
                        bytes ->
                                new Cell(
                                        Base64.getEncoder().encodeToString(bytes),
                                        HexFormat.of().formatHex(bytes)));
    }
}
