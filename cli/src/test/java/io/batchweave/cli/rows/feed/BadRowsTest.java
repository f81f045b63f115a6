package io.batchweave.cli.rows.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people's files hold that other readers fall over. */
class BadRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100_000);

    private final BufferAllocator allocator = new RootAllocator();

    @TempDir Path folder;

    @AfterEach
    void nothingIsLeaked() {
        allocator.close();
    }

    @Test
    void filesThatDriftAreJudgedOneByOne() throws IOException {
        Path first = lines("a.jsonl", "{\"n\":1,\"s\":\"x\",\"old\":true}");
        Path second = lines("b.jsonl", "{\"new\":[1],\"n\":2}");
        Path third = folder.resolve("c.arrow");
        try (IntVector n = new IntVector("n", allocator)) {
            n.setSafe(0, 3);
            write(third, 1, n);
        }
        Path fourth = folder.resolve("d.arrow");
        try (VarCharVector n = new VarCharVector("n", allocator)) {
            n.setSafe(0, new byte[] {'4'});
            write(fourth, 1, n);
        }

        assertThat(read("n:long!,s:string", first, second, third))
                .containsExactly("1|x", "2|null", "3|null");
        assertThatThrownBy(() -> read("n:long!,s:string", first, fourth))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest "
                                + fourth
                                + ", column n: it is long and the input's is Utf8");
        assertThatThrownBy(() -> read("n:long!,s:string!", first, third))
                .hasMessageContaining(
                        third + ", column s: it is required, and the input does not have it");
    }

    @Test
    void aColumnThatIsNullForAMillionRowsHasItsTypeAllTheSame() throws IOException {
        Path file = folder.resolve("a.jsonl");
        int rows = 1_000_001;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < rows - 1; row++) {
                out.write(row % 2 == 0 ? "{}\n" : "{\"l\":null}\n");
            }
            out.write("{\"l\":[{\"x\":7}]}\n");
        }

        List<String> read = read("l:list<struct<x:int>>", file);

        assertThat(read).hasSize(rows).endsWith("null", "[{\"x\":7}]");
    }

    @Test
    void aColumnOfTypeNullIsOneOfNullsBesideOthers() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (NullVector nulls = new NullVector("s");
                IntVector n = new IntVector("n", allocator)) {
            n.setSafe(0, 1);
            write(file, 1, nulls, n);
        }
        Path alone = folder.resolve("b.arrow");
        try (NullVector nulls = new NullVector("s")) {
            write(alone, 1, nulls);
        }

        assertThat(read("s:map<string,int>,n:int", file)).containsExactly("null|1");
        assertThatThrownBy(() -> read("s:string!,n:int", file))
                .hasMessageContaining(
                        "record batch 0 row 0, column s: it is required, and here is no value");
        assertThatThrownBy(() -> read("s:string", alone))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(alone + ": it has only columns of type null");
    }

    @Test
    void moreThanASliceCanHoldIsRefusedBeforeThereIsMemoryForIt() throws IOException {
        Path nothing = lines("a.jsonl", "{}");
        assertThatThrownBy(() -> read("image:fixed(1200000000)", nothing))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + nothing
                                + " line 1, one row alone takes more than 1073741824 bytes, the"
                                + " most a slice may have; split it");
        Path many = lines("b.jsonl", "{}\n{}\n");
        assertThatThrownBy(() -> read("image:fixed(600000000)", many))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("line 2, with row 1 of its slice it takes more than")
                .hasMessageContaining("use fewer rows a slice, or --bytes-per-slice");
    }

    @Test
    void parquetTextThatIsNoUtf8IsRefusedWithItsRow() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType("message m { required binary s (STRING); }");
        Path file =
                ParquetFiles.write(
                        folder.resolve("a.parquet"),
                        schema,
                        new SimpleGroup(schema).append("s", "fine"),
                        new SimpleGroup(schema)
                                .append(
                                        "s",
                                        Binary.fromConstantByteArray(new byte[] {(byte) 0xFF})));

        assertThatThrownBy(() -> read("s:string", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + file
                                + " row group 0 row 1, column s: its value is not valid UTF-8;"
                                + " declare it as binary, or convert it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.parquet", "a.arrow", "a.feather", "a.jsonl.gz", "a.jsonl.zst"})
    void anEmptyFileIsCalledEmpty(String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));

        assertThatThrownBy(() -> read("s:string", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + file
                                + ": it has no bytes, which is not what its name says; write it"
                                + " again, or leave it out");
    }

    @Test
    void noLinesAreNoRows() throws IOException {
        assertThat(read("s:string", Files.createFile(folder.resolve("a.jsonl")))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAR1", "ARROW1", "\u00FF\u00FF\u00FF\u00FF", "{}"})
    void aFileThatVanishesIsNotCalledDamaged(String start) throws IOException {
        Path file = folder.resolve("a");
        Files.write(file, start.getBytes(StandardCharsets.ISO_8859_1));
        Inputs inputs = RowSource.inputs(Local.LOCATIONS, List.of(file.toString()));
        Input input = inputs.file(0);
        RowInput kind = RowInput.of(input);
        Files.delete(file);

        try (SliceRows slice = new SliceRows(SchemaArgument.parse("s:string"), allocator)) {
            assertThatThrownBy(() -> kind.open(input, slice).read())
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "Cannot read "
                                    + file
                                    + ": there is no such file, or no longer; check the path");
        }
    }

    @Test
    void arrowDecimalsThatDoNotFitAreRefusedByTypeOrByValue() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (DecimalVector decimals = new DecimalVector("d", allocator, 5, 2)) {
            decimals.setSafe(0, new BigDecimal("123.45"));
            // Nothing but the file's own word says that it has five digits.
            decimals.setBigEndianSafe(
                    1, BigDecimal.valueOf(1, -9).setScale(2).unscaledValue().toByteArray());
            write(file, 2, decimals);
        }

        assertThatThrownBy(() -> read("d:decimal(4,2)", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "column d: it is decimal(4, 2) and the input's is Decimal(5, 2");
        assertThatThrownBy(() -> read("d:decimal(5,2)", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "record batch 0 row 1, column d: the number 1E+9 does not fit");
        assertThat(read("d:decimal(13,3)", file)).containsExactly("123.450", "1000000000.000");
    }

    @Test
    void dictionariesAreDecodedAndIndicesBeyondThemRefused() throws IOException {
        for (boolean isStream : List.of(true, false)) {
            Path sound = folder.resolve("a" + isStream);
            Path unsound = folder.resolve("b" + isStream);
            writeByDictionary(sound, 1, isStream);
            writeByDictionary(unsound, 2, isStream);

            assertThat(read("s:string", sound)).containsExactly("zero", "one", "null");
            assertThatThrownBy(() -> read("s:string", unsound))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining(
                            "record batch 0 row 1, column s: its index 2 is not in the dictionary"
                                    + " of 2 values");
        }
    }

    private void writeByDictionary(Path file, int index, boolean isStream) throws IOException {
        DictionaryEncoding encoding = new DictionaryEncoding(1, false, new ArrowType.Int(32, true));
        FieldType type = new FieldType(true, new ArrowType.Int(32, true), encoding);
        try (VarCharVector values = new VarCharVector("values", allocator);
                IntVector indices = new IntVector("s", type, allocator)) {
            values.setSafe(0, "zero".getBytes(UTF_8));
            values.setSafe(1, "one".getBytes(UTF_8));
            values.setValueCount(2);
            indices.setSafe(0, 0);
            indices.setSafe(1, index);
            indices.setNull(2);
            indices.setValueCount(3);
            VectorSchemaRoot root = VectorSchemaRoot.of(indices);
            root.setRowCount(3);
            MapDictionaryProvider provider =
                    new MapDictionaryProvider(new Dictionary(values, encoding));
            try (FileChannel out =
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    ArrowWriter writer =
                            isStream
                                    ? new ArrowStreamWriter(root, provider, out)
                                    : new ArrowFileWriter(root, provider, out)) {
                writer.start();
                writer.writeBatch();
                writer.end();
            }
        }
    }

    private Path lines(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static void write(Path file, int rows, FieldVector... vectors) throws IOException {
        for (FieldVector vector : vectors) {
            vector.setValueCount(rows);
        }
        VectorSchemaRoot root = VectorSchemaRoot.of(vectors);
        root.setRowCount(rows);
        ArrowFiles.writeFile(file, root, CodecType.NO_COMPRESSION, 1);
    }

    private static List<String> read(String schema, Path... files) {
        return Drained.of(SchemaArgument.parse(schema), SETTINGS, files).rows();
    }
}
