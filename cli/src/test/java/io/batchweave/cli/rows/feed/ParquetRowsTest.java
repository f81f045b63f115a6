package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of Parquet files. */
class ParquetRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100);

    @TempDir Path folder;

    @Test
    void valuesOfEveryTypeAreRead() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 i; optional int64 l; optional float f;"
                                + " optional double d; optional boolean b; optional binary s (STRING);"
                                + " optional binary raw; optional fixed_len_byte_array(2) fx;"
                                + " optional int32 day (DATE); optional int32 dec (DECIMAL(5,2));"
                                + " optional int64 ts (TIMESTAMP(MILLIS,true));"
                                + " optional int32 tiny (INTEGER(8,true)); }");
        Group full = new SimpleGroup(schema);
        full.append("i", 1).append("l", -2L).append("f", 0.5f).append("d", 0.25);
        full.append("b", true)
                .append("s", "text")
                .append("raw", Binary.fromConstantByteArray(new byte[] {9}));
        full.append("fx", Binary.fromConstantByteArray(new byte[] {1, 2})).append("day", 3);
        full.append("dec", 150).append("ts", 1_000L).append("tiny", -1);
        Group bare = new SimpleGroup(schema);
        bare.append("i", 2);
        Path file = ParquetFiles.write(folder.resolve("a.parquet"), schema, full, bare);

        String wanted =
                "i:long!,l:long,f:double,d:double,b:boolean,s:string,raw:binary,fx:fixed(2),day:date,"
                        + "dec:decimal(9,3),ts:timestamptz,tiny:int,missing:string";
        assertThat(read(wanted, file))
                .containsExactly(
                        "1|-2|0.5|0.25|true|text|09|0102|3|1.500|1000000|-1|null",
                        "2|null|null|null|null|null|null|null|null|null|null|null|null");
    }

    @Test
    void nestedValuesAreReadWithTheirNulls() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { optional group l (LIST) { repeated group list {"
                                + " optional int32 element; } }"
                                + " optional group old (LIST) { repeated int32 array; }"
                                + " optional group m (MAP) { repeated group key_value {"
                                + " required binary key (STRING); optional int32 value; } }"
                                + " optional group s { required int32 x; optional binary y (STRING);"
                                + " optional int32 unwanted; } }");
        Group full = new SimpleGroup(schema);
        Group list = full.addGroup("l");
        list.addGroup("list").append("element", 1);
        list.addGroup("list");
        full.addGroup("old").append("array", 7);
        Group map = full.addGroup("m");
        map.addGroup("key_value").append("key", "a").append("value", 1);
        map.addGroup("key_value").append("key", "b");
        full.addGroup("s").append("x", 5);
        Group empty = new SimpleGroup(schema);
        empty.addGroup("l");
        empty.addGroup("m");
        Path file = ParquetFiles.write(folder.resolve("a.parquet"), schema, full, empty);

        assertThat(
                        read(
                                "s:struct<y:string,x:int!>,l:list<int>,old:list<int!>,m:map<string,int>",
                                file))
                .containsExactly(
                        "{\"x\":5}|[1,null]|[7]|[{\"key\":\"a\",\"value\":1},{\"key\":\"b\"}]",
                        "null|[]|null|[]");
        assertThatThrownBy(() -> read("l:list<int!>", file))
                .hasMessageContaining(
                        "row group 0 row 0, column l.element: it is required, and here is no value");
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeAnythingIsRead() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int64 l; required int64 ts (TIMESTAMP(NANOS,true));"
                                + " required int32 dec (DECIMAL(5,2)); repeated int32 many; }");
        Path file = ParquetFiles.write(folder.resolve("a.parquet"), schema);

        assertThatThrownBy(() -> read("l:int", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest "
                                + file
                                + ", column l: it is int and the input's is INT64,");
        assertThatThrownBy(() -> read("ts:timestamptz", file)).hasMessageContaining("NANOS");
        assertThatThrownBy(() -> read("ts:timestamp_ns", file)).hasMessageContaining("NANOS");
        assertThatThrownBy(() -> read("dec:decimal(5,1)", file)).hasMessageContaining("DECIMAL");
        assertThatThrownBy(() -> read("many:list<int>", file))
                .hasMessageContaining("repeated without being marked as a list");
    }

    private static List<String> read(String schema, Path file) {
        return Drained.of(SchemaArgument.parse(schema), SETTINGS, file).rows();
    }
}
