package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors of every kind of input. */
class TensorRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100);

    private final BufferAllocator allocator = new RootAllocator();

    @TempDir Path folder;

    @AfterEach
    void nothingIsLeaked() {
        allocator.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "uint8[2,2]; [[0,1],[128,255]]; 000180ff",
                "uint8[2,2]; [0,1,128,255]; 000180ff",
                "uint8[2,2]; \"AAGA/w==\"; 000180ff",
                "uint8[2,2]; null; null",
                "binary as int8[3]; [-128,-1,127]; 80ff7f",
                "binary as int8[3]; \"gP9/\"; 80ff7f",
                "int16[2]; [-32768,1]; 00800100",
                "uint16[2]; [65535,1]; ffff0100",
                "int32[1]; [-2]; feffffff",
                "uint32[1]; [4294967295]; ffffffff",
                "int64[1]; [-2]; feffffffffffffff",
                "uint64[1]; [9223372036854775807]; ffffffffffffff7f",
                "bool[3]; [true,false,true]; 010001",
                "float16[2]; [1,-0.5]; 003c00b8",
                "bfloat16[2]; [1,-0.5]; 803f00bf",
                "bfloat16[2]; [\"NaN\",\"-Infinity\"]; c07f80ff",
                "float32[1]; [0.1]; cdcccc3d",
                "float64[1]; [0.1]; 9a9999999999b93f",
                "float8_e5m2[2]; \"PMA=\"; 3cc0",
                "list<float!> as float32[2]; [1,2]; [1.0,2.0]",
                "list<list<float!> as float32[1]>; [[1],null]; [[1.0],null]",
                "list<uint8[2]!>; [[1,2],[3,4]]; [\"AQI=\",\"AwQ=\"]",
            })
    void jsonGivesTheBytesOfATensor(String type, String json, String expected) throws IOException {
        assertThat(lines("a:" + type, "{\"a\":" + json + "}")).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "uint8[2,2]; [[0,1],[2]]; column a: it is uint8[2,2] and the input's value has 1"
                        + " elements along axis 1",
                "uint8[2,2]; [[0,1]]; column a: it is uint8[2,2] and the input's value has 1"
                        + " elements along axis 0",
                "uint8[2,2]; [1,2,3]; has 3 elements along axis 0",
                "uint8[2,2]; [1,2,3,4,5]; has more elements",
                "uint8[2,2]; [[1,2,3],[4]]; has 3 elements along axis 1",
                "uint8[2,2]; [[[1]]]; it is an element of uint8[2,2] and the value is an array",
                "uint8[2,1,1]; [[1],[2]]; has a number in place of a list",
                "uint8[2,1]; [[1],2]; has 2 elements along axis 0",
                "uint8[2]; [1,null]; it is required, and here is no value",
                "uint8[2]; [1,256]; 256 is out of the range of uint8",
                "uint8[2]; [1,-1]; -1 is out of the range of uint8",
                "int8[1]; [128]; 128 is out of the range of int8",
                "int16[1]; [-32769]; -32769 is out of the range of int16",
                "uint16[1]; [65536]; 65536 is out of the range of uint16",
                "uint32[1]; [4294967296]; 4294967296 is out of the range of uint32",
                "uint64[1]; [-1]; -1 is out of the range of uint64",
                "float16[1]; [0.1]; 0.1 is no float16; round it",
                "float16[1]; [1e9]; is no float16",
                "bfloat16[1]; [0.1]; 0.1 is no bfloat16; round it",
                "uint8[2]; \"AQ==\"; it is uint8[2] of 2 bytes and the input's value has 1",
                "float8_e5m2[2]; [1,2]; it is float8_e5m2[2] and the value is an array",
                "list<float!> as float32[2]; [1]; it is float32[2] of 2 elements and the input's"
                        + " value has 1",
            })
    void whatIsNotOfTheShapeIsRefusedWithItsPlaceAndColumn(String type, String json, String why) {
        assertThatThrownBy(() -> lines("a:" + type, "{\"a\":" + json + "}"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest " + folder.resolve("rows.jsonl") + " line 1, column a")
                .hasMessageContaining(why);
    }

    @Test
    void arrowListsAndBytesGiveTheSame() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (FixedSizeListVector lists = images(Map.of());
                VarBinaryVector bytes = new VarBinaryVector("bytes", allocator)) {
            bytes.setSafe(0, new byte[] {0, 1, 2, (byte) 255});
            bytes.setNull(1);
            write(file, lists, bytes);
        }

        assertThat(read("image:uint8[2,2],bytes:uint8[4]", file))
                .containsExactly("000102ff|000102ff", "00010203|null");
        assertThatThrownBy(() -> read("image:uint8[2,2],bytes:uint8[5]", file))
                .hasMessageStartingWith(
                        "Cannot ingest " + file + " record batch 0 row 0, column bytes:")
                .hasMessageContaining("uint8[5] of 5 bytes and the input's value has 4");
        assertThatThrownBy(() -> read("image:uint8[5]", file))
                .hasMessageContaining("has 4 elements along axis 0");
        assertThatThrownBy(() -> read("image:bool[2,2],bytes:binary", file))
                .hasMessageContaining("column image: it is an element of bool[2,2] and");
        assertThatThrownBy(() -> read("image:int16[2,2],bytes:int", file))
                .hasMessageContaining("column bytes: it is int");
    }

    @Test
    void arrowsOwnTensorsHaveToBeOfTheSameShape() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (FixedSizeListVector lists = images(tensor("{\"shape\":[2,2]}"))) {
            write(file, lists);
        }
        assertThat(read("image:uint8[2,2]", file)).containsExactly("000102ff", "00010203");
        assertThatThrownBy(() -> read("image:uint8[1,4]", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "column image: its tensors have the shape [1, 4] and the input's are"
                                + " described as {\"shape\":[2,2]}");
        try (FixedSizeListVector lists =
                images(tensor("{\"shape\":[2,2],\"permutation\":[1,0]}"))) {
            write(file, lists);
        }
        assertThatThrownBy(() -> read("image:uint8[2,2]", file))
                .hasMessageContaining("permutation");
    }

    @Test
    void parquetListsAndBytesGiveTheSame() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required binary bytes; required fixed_len_byte_array(2) fixed;"
                                + " required group list (LIST) { repeated group list { required int32"
                                + " element (INTEGER(8,false)); } } }");
        List<Group> rows = new ArrayList<>();
        for (int length : List.of(2, 3)) {
            Group row = new SimpleGroup(schema).append("bytes", "ab").append("fixed", "cd");
            Group list = row.addGroup("list");
            for (int i = 0; i < length; i++) {
                list.addGroup("list").append("element", i);
            }
            rows.add(row);
        }
        Path sound = ParquetFiles.write(folder.resolve("a.parquet"), schema, rows.get(0));
        Path ragged =
                ParquetFiles.write(folder.resolve("b.parquet"), schema, rows.toArray(Group[]::new));
        String tensors = "bytes:uint8[2],fixed:bfloat16[1],list:uint8[2]";

        assertThat(read(tensors, sound)).containsExactly("6162|6364|0001");
        assertThatThrownBy(() -> read(tensors, ragged))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest " + ragged + " row group 0 row 1, column list:")
                .hasMessageContaining("has more elements");
    }

    private FixedSizeListVector images(Map<String, String> metadata) {
        FieldType type = new FieldType(true, new ArrowType.FixedSizeList(4), null, metadata);
        FixedSizeListVector lists = new FixedSizeListVector("image", allocator, type, null);
        UInt1Vector elements =
                (UInt1Vector)
                        lists.addOrGetVector(FieldType.notNullable(new ArrowType.Int(8, false)))
                                .getVector();
        for (int i = 0; i < 8; i++) {
            elements.setSafe(i, i == 3 ? 255 : i % 4);
        }
        elements.setValueCount(8);
        lists.setNotNull(0);
        lists.setNotNull(1);
        return lists;
    }

    private static Map<String, String> tensor(String shape) {
        return Map.of(
                "ARROW:extension:name",
                "arrow.fixed_shape_tensor",
                "ARROW:extension:metadata",
                shape);
    }

    private void write(Path file, FieldVector... vectors) throws IOException {
        for (FieldVector vector : vectors) {
            vector.setValueCount(2);
        }
        VectorSchemaRoot root = VectorSchemaRoot.of(vectors);
        root.setRowCount(2);
        Files.deleteIfExists(file);
        ArrowFiles.writeFile(file, root, CodecType.NO_COMPRESSION, 1);
    }

    private List<String> lines(String schema, String lines) throws IOException {
        Path file = folder.resolve("rows.jsonl");
        Files.writeString(file, lines);
        return read(schema, file);
    }

    private static List<String> read(String schema, Path file) {
        return Drained.of(SchemaArgument.parse(schema), SETTINGS, file).rows();
    }
}
