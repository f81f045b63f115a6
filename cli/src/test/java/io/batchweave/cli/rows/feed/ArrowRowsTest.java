package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of Arrow IPC files and streams. */
class ArrowRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100);

    private final BufferAllocator allocator = new RootAllocator();

    @TempDir Path folder;

    @AfterEach
    void nothingIsLeaked() {
        allocator.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionUtil.CodecType.class,
            names = {"NO_COMPRESSION", "LZ4_FRAME", "ZSTD"})
    void filesAndStreamsGiveTheRowsThatWereWritten(CompressionUtil.CodecType codec)
            throws IOException {
        PayloadSchema schema = SchemaArgument.parse(Samples.SCHEMA);
        Path lines = folder.resolve("rows.jsonl");
        Files.writeString(lines, Samples.LINES);
        List<String> rows = Drained.of(schema, SETTINGS, lines).rows();
        Path file = folder.resolve("a.stream");
        Path stream = folder.resolve("b.file");
        try (RowSource source =
                RowSource.start(Drained.inputs(schema, allocator, lines), SETTINGS)) {
            VectorSchemaRoot slice = source.next();
            ArrowFiles.writeFile(file, slice, codec, 2);
            ArrowFiles.writeStream(stream, slice, codec, 3);
        }

        assertThat(rows).hasSize(4);
        assertThat(Drained.of(schema, SETTINGS, file).rows())
                .containsExactlyElementsOf(repeat(rows, 2));
        assertThat(Drained.of(schema, SETTINGS, stream).rows())
                .containsExactlyElementsOf(repeat(rows, 3));
    }

    @Test
    void aStreamThatWasCutOrGoesOnBehindItsEndIsRefused() throws IOException {
        Path stream = folder.resolve("a.arrows");
        try (IntVector n = new IntVector("n", allocator)) {
            n.setSafe(0, 7);
            n.setValueCount(1);
            try (VectorSchemaRoot rows = VectorSchemaRoot.of(n)) {
                rows.setRowCount(1);
                ArrowFiles.writeStream(stream, rows, CompressionUtil.CodecType.NO_COMPRESSION, 2);
            }
        }
        byte[] whole = Files.readAllBytes(stream);
        assertThat(read("n:int", stream)).containsExactly("7", "7");

        Files.write(stream, Arrays.copyOf(whole, whole.length - 8));
        assertThatThrownBy(() -> read("n:int", stream))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot ingest " + stream + " record batch 2 row 0: ")
                .hasMessageContaining("the stream ends at byte %d without", whole.length - 8);

        Files.write(stream, whole);
        Files.write(stream, whole, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> read("n:int", stream))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "the stream ends at byte %d and %d bytes follow",
                        whole.length, whole.length);
    }

    private static List<String> repeat(List<String> rows, int times) {
        return java.util.Collections.nCopies(times, rows).stream().flatMap(List::stream).toList();
    }

    @Test
    void smallerTypesWidenAndViewsAreDecoded() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (SmallIntVector small = new SmallIntVector("n", allocator);
                ViewVarCharVector views = new ViewVarCharVector("s", allocator)) {
            small.setSafe(0, -3);
            small.setNull(1);
            views.setSafe(0, "short".getBytes(StandardCharsets.UTF_8));
            views.setSafe(1, "longer than twelve bytes".getBytes(StandardCharsets.UTF_8));
            write(file, 2, small, views);
        }

        assertThat(read("s:string,n:long,missing:int", file))
                .containsExactly("short|-3|null", "longer than twelve bytes|null|null");
    }

    @Test
    void whatWouldLoseSomethingIsRefusedByType() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (BigIntVector wide = new BigIntVector("n", allocator);
                UInt8Vector unsigned = new UInt8Vector("u", allocator);
                TimeStampMicroTZVector time =
                        new TimeStampMicroTZVector("t", allocator, "Europe/Berlin")) {
            write(file, 0, wide, unsigned, time);
        }

        assertThatThrownBy(() -> read("n:int", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + file
                                + ", column n: it is int and the input's is Int(64, true), which"
                                + " does not fit without loss; convert it, or declare another type");
        assertThatThrownBy(() -> read("u:long", file)).hasMessageContaining("Int(64, false)");
        assertThatThrownBy(() -> read("t:timestamptz", file)).hasMessageContaining("Europe/Berlin");
        assertThatThrownBy(() -> read("t:timestamp", file)).hasMessageContaining("Europe/Berlin");
    }

    @Test
    void columnsAreFoundByNameOrRefused() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (IntVector one = new IntVector("n", allocator);
                IntVector other = new IntVector("n", allocator);
                IntVector upper = new IntVector("Image", allocator)) {
            write(file, 0, one, other, upper);
        }

        assertThatThrownBy(() -> read("n:int", file)).hasMessageContaining("two columns of this");
        assertThatThrownBy(() -> read("image:int", file)).hasMessageContaining("names it Image");
        assertThatThrownBy(() -> read("Image:int,k:int!", file))
                .hasMessageContaining("column k: it is required, and the input does not have it");
        assertThatThrownBy(() -> read("k:int", file))
                .hasMessageContaining("no column of this or any other name");
    }

    @Test
    void textThatIsNoUtf8IsRefusedWithItsRow() throws IOException {
        Path file = folder.resolve("a.arrow");
        try (VarCharVector text = new VarCharVector("s", allocator);
                VarBinaryVector bytes = new VarBinaryVector("b", allocator)) {
            text.setSafe(0, new byte[] {'o', 'k'});
            text.setSafe(1, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80});
            bytes.setSafe(0, new byte[] {1});
            bytes.setSafe(1, new byte[0]);
            write(file, 2, text, bytes);
        }

        assertThatThrownBy(() -> read("s:string", file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "record batch 0 row 1, column s: its value is not valid UTF-8");
        assertThat(read("b:binary", file)).containsExactly("01", "");
    }

    @Test
    void aBatchThatSaysItHasMoreRowsOrValuesThanItHasIsRefused() throws IOException {
        Path file = folder.resolve("a.stream");
        Path lines = folder.resolve("rows.jsonl");
        Files.writeString(lines, "{\"n\":1,\"s\":{\"x\":1},\"l\":[1]}\n".repeat(3));
        String schema = "n:int,s:struct<x:int>,l:list<int>";
        try (RowSource source =
                RowSource.start(
                        Drained.inputs(SchemaArgument.parse(schema), allocator, lines), SETTINGS)) {
            ArrowFiles.writeStream(
                    file, source.next(), CompressionUtil.CodecType.NO_COMPRESSION, 1);
        }
        List<String> sound = read(schema, file);
        byte[] bytes = Files.readAllBytes(file);
        List<String> refusals = new ArrayList<>();
        for (int at = 0; at < bytes.length - 8; at += 4) {
            if (ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at) == 3) {
                byte[] more = bytes.clone();
                more[at + 1] = 1;
                Files.write(file, more);
                try {
                    assertThat(read(schema, file)).isEqualTo(sound);
                } catch (InvalidRequestException e) {
                    refusals.add(e.getMessage());
                }
            }
        }
        // The batch itself, its structs and its lists; more numbers than needed are no harm.
        assertThat(refusals)
                .hasSize(3)
                .allMatch(text -> text.startsWith("Cannot ingest " + file + " record batch 0"))
                .anyMatch(text -> text.contains("column n has 3 values, and 259 are referred to"))
                .anyMatch(text -> text.contains("column x has 3 values, and 259 are referred to"));
    }

    @Test
    void theEndingOfANameSaysNothing() throws IOException {
        Path text = folder.resolve("a.arrow");
        Files.writeString(text, "{\"n\":1}");

        assertThatThrownBy(() -> RowInput.of(Local.inputs(List.of(text.toString())).file(0)))
                .hasMessageContaining("it is neither Parquet, nor Arrow IPC");
    }

    private void write(Path file, int rows, FieldVector... vectors) throws IOException {
        for (FieldVector vector : vectors) {
            vector.setValueCount(rows);
        }
        VectorSchemaRoot root = VectorSchemaRoot.of(vectors);
        root.setRowCount(rows);
        ArrowFiles.writeFile(file, root, CompressionUtil.CodecType.NO_COMPRESSION, 1);
    }

    private static List<String> read(String schema, Path file) {
        return Drained.of(SchemaArgument.parse(schema), SETTINGS, file).rows();
    }
}
