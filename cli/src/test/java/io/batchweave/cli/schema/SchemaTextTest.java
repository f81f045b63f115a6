package io.batchweave.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas as they are given on the command line. */
class SchemaTextTest {
    @TempDir Path folder;

    @Test
    void idsAreGivenToEachFieldBeforeThoseInIt() {
        Schema schema =
                SchemaText.parse("a:list<struct<x:int!,y:map<string,long!>>>!, b:fixed(3)")
                        .iceberg();

        assertThat(
                        schema.sameSchema(
                                new Schema(
                                        NestedField.required(
                                                1,
                                                "a",
                                                Types.ListType.ofOptional(
                                                        2,
                                                        Types.StructType.of(
                                                                NestedField.required(
                                                                        3,
                                                                        "x",
                                                                        Types.IntegerType.get()),
                                                                NestedField.optional(
                                                                        4,
                                                                        "y",
                                                                        Types.MapType.ofRequired(
                                                                                5,
                                                                                6,
                                                                                Types.StringType
                                                                                        .get(),
                                                                                Types.LongType
                                                                                        .get()))))),
                                        NestedField.optional(7, "b", Types.FixedType.ofLength(3)))))
                .isTrue();
    }

    @Test
    void everyTypeHasAName() {
        String all =
                "a:boolean,b:int,c:long,d:float,e:double,f:decimal(9,2),g:date,h:time,i:timestamp,"
                        + "j:timestamptz,k:timestamp_ns,l:timestamptz_ns,m:string,n:uuid,o:fixed(4),"
                        + "p:binary,q:list<int>,r:map<string,int>,s:struct<t:int>";

        assertThat(SchemaArgument.parse(all).iceberg().columns()).hasSize(19);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a;character 2 (its end): here should be a colon and a type",
                "a:int,;character 7 (its end): here should be a field's name",
                "a:lst<int>;character 3 ('lst<int>'): no type that is known",
                "a:int,a:long;character 7 ('a:long'): a second field of this name",
                "a:decimal(39,2);character 3 ('decimal(39,2)'): a decimal has a precision of 1 to 38",
                "a:fixed(x);character 9 ('x)'): here should be a number",
                "a:list<int;character 11 (its end): here should be a closing >",
                "a:int b;character 7 ('b'): here should be a comma or the end",
            })
    void whatCannotBeReadIsRefusedWithItsPlace(String text, String why) {
        assertThatThrownBy(() -> SchemaText.parse(text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot read the schema at " + why);
    }

    @Test
    void deepNestingIsRefusedBeforeTheStackEnds() {
        String deep = "a:" + "list<".repeat(100_000);

        assertThatThrownBy(() -> SchemaText.parse(deep))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("nested at most");
    }

    @Test
    void aFileIsReadInIcebergsFormAndItsIdBecomesZero() throws IOException {
        Schema schema =
                new Schema(7, NestedField.required(3, "doc", Types.StringType.get(), "a text"));
        Path file = folder.resolve("schema.json");
        Files.writeString(file, SchemaParser.toJson(schema));

        PayloadSchema read = SchemaArgument.parse(file.toString());

        assertThat(read.iceberg().schemaId()).isZero();
        assertThat(read.iceberg().sameSchema(schema)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{;line 1, column 2: Unexpected end-of-input: expected close marker for Object",
                "{\"type\":\"struct\",};line 1, column 18: Unexpected character ('}' (code 125)):",
                "[];cannot parse type from json: []",
                "{\"type\":\"struct\"};cannot parse missing field: fields",
                "{\"type\":\"struct\",\"fields\":[{}]};field 0 '': cannot parse missing int: id",
                "{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"a\",\"required\":true,"
                        + "\"type\":\"int\"},{\"id\":2,\"name\":\"b\",\"required\":true,"
                        + "\"type\":\"itn\"}]};field 1 'b': cannot parse type string to primitive: itn",
                "{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"v\",\"required\":true,"
                        + "\"type\":\"variant\"}]};field 0 'v': cannot carry field v",
                "{\"type\":\"struct\",\"fields\":[]};cannot carry a payload schema: it has no field",
            })
    void whatIsWrongInAFileIsToldWithItsNameAndPlace(String text, String why) throws IOException {
        Path file = folder.resolve("schema.json");
        Files.writeString(file, text);

        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot read the schema file " + file + ": " + why)
                .hasMessageEndingWith("; name a file in Iceberg's JSON form")
                .message()
                .doesNotContain("jackson", "Exception", "Source:");
    }

    @Test
    void whatIsNoFileOfTextIsRefused() throws IOException {
        Path file = folder.resolve("schema.json");
        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot read the schema file " + file + ": there is no such file;");
        Files.write(file, new byte[] {(byte) 0xFF});
        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(": it is not valid UTF-8;");
        Files.delete(file);
        Files.createDirectory(file);
        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(": it is no regular file;");
    }

    @Test
    void columnsThatNobodyCouldNameAreRefusedByName() {
        assertRefused("a\u0007b:int", "'a\\u0007b': it has the control character U+0007");
        assertRefused("s:struct<x\ny:int>", "'x\\u000ay': it has the control character U+000A");
        assertRefused(
                "x".repeat(100_000) + ":int", "'" + "x".repeat(80) + "...': it has 100000 char");
        assertRefused("id:int,ID:int", "'ID': it differs from 'id' only in its letters' case");
        assertRefused("s:struct<k:int,K:int>", "'K': it differs from 'k' only");
        assertThat(SchemaArgument.parse("été:int,s:struct<été:int>").iceberg().columns())
                .hasSize(2);
    }

    @Test
    void columnsThatIcebergCannotTellApartAreRefused() {
        assertThatThrownBy(() -> SchemaArgument.parse("a.b:int,a:struct<b:int>"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("a.b");
    }

    private static void assertRefused(String schema, String why) {
        assertThatThrownBy(() -> SchemaArgument.parse(schema))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot name a column " + why);
    }
}
