package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of JSON lines. */
class JsonRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100);

    @TempDir Path folder;

    @Test
    void valuesOfEveryTypeAreReadAsTheSchemaSays() throws IOException {
        String schema =
                "a:boolean,b:int,c:long,d:float,e:double,f:decimal(5,2),g:date,h:time,i:timestamp,"
                        + "j:timestamptz,k:timestamp_ns,l:timestamptz_ns,m:string,n:uuid,o:fixed(2),"
                        + "p:binary,q:list<int>,r:map<string,int>,s:struct<t:int,u:int>,"
                        + "v:map<int,list<string>>";
        String line =
                "{\"a\":true,\"b\":-7,\"c\":9223372036854775807,\"d\":0.5,\"e\":\"NaN\",\"f\":1.5,"
                        + "\"g\":\"1970-01-03\",\"h\":\"00:00:01.000002\","
                        + "\"i\":\"1969-12-31T23:59:59.999999\",\"j\":\"1970-01-01T00:00:01Z\","
                        + "\"k\":\"1970-01-01T00:00:00.000000001\",\"l\":\"1970-01-01T00:00:00Z\","
                        + "\"m\":\"\u00e4\\u4e2d\",\"n\":\"00112233-4455-6677-8899-aabbccddeeff\","
                        + "\"o\":\"AQI=\",\"p\":\"\",\"q\":[1,null],\"r\":{\"x\":1,\"y\":null},"
                        + "\"s\":{\"u\":2},\"v\":[{\"value\":[\"z\"],\"key\":1}],\"else\":[{}]}";

        assertThat(read(schema, line + "\n\n{}\n"))
                .containsExactly(
                        "true|-7|9223372036854775807|0.5|NaN|1.50|2|1000002"
                                + "|1969-12-31T23:59:59.999999|1000000|1970-01-01T00:00:00.000000001"
                                + "|0|\u00e4\u4e2d|00112233445566778899aabbccddeeff|0102||[1,null]"
                                + "|[{\"key\":\"x\",\"value\":1},{\"key\":\"y\"}]|{\"u\":2}"
                                + "|[{\"key\":1,\"value\":[\"z\"]}]",
                        "null|null|null|null|null|null|null|null|null|null|null|null|null|null|null"
                                + "|null|null|null|null|null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "a:int;{\"a\":1.0};it is int and the value is 1.0",
                "a:int;{\"a\":\"1\"};it is int and the value is the text '1'",
                "a:int;{\"a\":2147483648};2147483648 is out of the range of int",
                "a:long;{\"a\":9223372036854775808};9223372036854775808 is out of the range of long",
                "a:int!;{};it is required, and here is no value",
                "a:int!;{\"a\":null};it is required, and here is no value",
                "a:int;{\"a\":1,\"a\":2};its object names it twice",
                "a:float;{\"a\":16777217};16777217 is no value of type float",
                "a:double;{\"a\":1e999};1e999 is no value of type double",
                "a:decimal(3,2);{\"a\":1.001};the number 1.001 does not fit decimal(3, 2) exactly",
                "a:decimal(3,2);{\"a\":1e99999999};the number 1E+99999999 does not fit",
                "a:timestamp;{\"a\":\"2024-01-01T00:00:00Z\"};(a zone would be lost)",
                "a:timestamptz;{\"a\":\"2024-01-01T00:00:00+01:00\"};(another offset would be lost)",
                "a:timestamp;{\"a\":\"2024-01-01T00:00:00.000000001\"};has nanoseconds",
                "a:date;{\"a\":\"2024-02-30\"};is not of the form 2024-12-31",
                "a:string;{\"a\":\"\\ud800\"};half a surrogate pair",
                "a:binary;{\"a\":\"?\"};its text is no Base64",
                "a:fixed(2);{\"a\":\"AQ==\"};it holds values of 2 bytes and the input's value has 1",
                "a:uuid;{\"a\":\"0\"};'0' is no UUID",
                "a:list<int>;{\"a\":{}};it is list<int> and the value is an object",
            })
    void whatDoesNotFitIsRefusedWithItsLineAndColumn(String schema, String line, String why) {
        assertThatThrownBy(() -> read(schema, line))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot ingest " + folder.resolve("rows.jsonl") + " line 1")
                .hasMessageContaining(", column a")
                .hasMessageContaining(why);
    }

    @Test
    void brokenLinesAreRefused() {
        for (String line :
                List.of("{\"a\":1} {}", "{\"a\":", "{\"a\":nul}", "{} []", "{\"a\":01}")) {
            assertThatThrownBy(() -> read("a:int", "{}\n" + line))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith(
                            "Cannot ingest " + folder.resolve("rows.jsonl") + " line 2");
        }
    }

    @Test
    void invalidUtf8IsRefused() throws IOException {
        Path file = folder.resolve("bytes.jsonl");
        Files.write(
                file,
                new byte[] {'{', '"', 'x', '"', ':', '"', (byte) 0xC0, (byte) 0x80, '"', '}'});

        assertThatThrownBy(() -> Drained.of(schema("a:string"), SETTINGS, file))
                .hasMessageContaining("line 1: it is not valid UTF-8");
    }

    @Test
    void aNameThatIsAlmostAColumnsIsRefusedUnlessTheColumnsIsThere() throws IOException {
        Path file = folder.resolve("case.jsonl");
        Files.writeString(file, "{\"id\":1,\"ID\":2,\"other\":[3]}\n{\"Id\":4}\n");

        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(schema("id:int"), allocator, file),
                                new RowSettings.ByRows(1))) {
            assertThat(Drained.rows(source.next())).containsExactly("1");
            assertThatThrownBy(source::next)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "Cannot ingest "
                                    + file
                                    + " line 2, column id: the input names it Id; names have to be"
                                    + " equal");
        }
    }

    @Test
    void aLineThatIsTooLongIsRefused() throws IOException {
        Path file = folder.resolve("long.jsonl");
        Files.writeString(file, "{" + " ".repeat(JsonLine.BYTES_MAX) + "}");

        assertThatThrownBy(() -> Drained.of(schema("a:string"), SETTINGS, file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + file
                                + " line 1: it is longer than 16777216 bytes, the most that a line"
                                + " may have; split it");
    }

    @Test
    void compressedLinesAreToldByTheirBytes() throws IOException {
        byte[] lines = "{\"a\":1}\n{\"a\":2}".getBytes(StandardCharsets.UTF_8);
        Path gzip = folder.resolve("x");
        Path zstd = folder.resolve("y.jsonl");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write(lines);
        }
        try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
            out.write(lines);
        }

        assertThat(Drained.of(schema("a:int"), SETTINGS, gzip, zstd).rows())
                .containsExactly("1", "2", "1", "2");
    }

    private List<String> read(String schema, String lines) throws IOException {
        Path file = folder.resolve("rows.jsonl");
        Files.writeString(file, lines);
        return Drained.of(schema(schema), SETTINGS, file).rows();
    }

    private static PayloadSchema schema(String text) {
        return SchemaArgument.parse(text);
    }
}
