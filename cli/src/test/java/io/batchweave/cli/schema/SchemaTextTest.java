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

    @Test
    void aFileThatIsNotThereOrHoldsNoSchemaIsRefused() throws IOException {
        Path file = folder.resolve("schema.json");
        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot read the schema file " + file);
        Files.writeString(file, "{\"type\":\"struct\",\"fields\":[{}]}");
        assertThatThrownBy(() -> SchemaArgument.parse(file.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot read a payload schema");
    }
}
