package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Files with some bytes changed, or cut short: rows, or one line that says why not. */
class DamageTest {
    private static final PayloadSchema SCHEMA = SchemaArgument.parse(Samples.SCHEMA);
    private static final PayloadSchema SMALL = SchemaArgument.parse("n:int,s:string,l:list<int>");
    private static final RowSettings SETTINGS = new RowSettings.ByRows(100);

    private static Path folder;

    @BeforeContainer
    static void writeSoundFiles() throws IOException {
        folder = Files.createTempDirectory("damage");
        Path lines = folder.resolve("rows.jsonl");
        Files.writeString(lines, Samples.LINES);
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(Drained.inputs(SCHEMA, allocator, lines), SETTINGS)) {
            VectorSchemaRoot slice = source.next();
            ArrowFiles.writeFile(folder.resolve("file"), slice, CodecType.NO_COMPRESSION, 2);
            ArrowFiles.writeStream(folder.resolve("stream"), slice, CodecType.NO_COMPRESSION, 2);
            ArrowFiles.writeStream(folder.resolve("zstd"), slice, CodecType.ZSTD, 2);
            ArrowFiles.writeStream(folder.resolve("lz4"), slice, CodecType.LZ4_FRAME, 2);
        }
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 n; optional binary s (STRING); optional group l"
                                + " (LIST) { repeated group list { optional int32 element; } } }");
        Group row = new SimpleGroup(schema).append("n", 5).append("s", "text");
        row.addGroup("l").addGroup("list").append("element", 6);
        ParquetFiles.write(folder.resolve("parquet"), schema, row, row, row);
    }

    @AfterContainer
    static void deleteFiles() throws IOException {
        for (String name :
                List.of("rows.jsonl", "file", "stream", "zstd", "lz4", "parquet", "damaged")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.delete(folder);
    }

    @Property(tries = 300)
    void arrowFile(@ForAll int at, @ForAll byte value, @ForAll @IntRange(max = 9) int how)
            throws IOException {
        check("file", SCHEMA, at, value, how);
    }

    @Property(tries = 300)
    void arrowStream(@ForAll int at, @ForAll byte value, @ForAll @IntRange(max = 9) int how)
            throws IOException {
        check("stream", SCHEMA, at, value, how);
    }

    @Property(tries = 100)
    void compressedArrow(@ForAll int at, @ForAll byte value, @ForAll @IntRange(max = 9) int how)
            throws IOException {
        check("zstd", SCHEMA, at, value, how);
        check("lz4", SCHEMA, at, value, how);
    }

    @Property(tries = 300)
    void parquet(@ForAll int at, @ForAll byte value, @ForAll @IntRange(max = 9) int how)
            throws IOException {
        check("parquet", SMALL, at, value, how);
    }

    @Property(tries = 100)
    void lines(@ForAll int at, @ForAll byte value, @ForAll @IntRange(max = 9) int how)
            throws IOException {
        check("rows.jsonl", SCHEMA, at, value, how);
    }

    /**
     * @param how 0 cuts the file there, 1 makes four bytes the largest number, others change one
     */
    private static void check(String name, PayloadSchema schema, int at, byte value, int how)
            throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(name));
        int place = Math.floorMod(at, bytes.length);
        if (how == 0) {
            bytes = Arrays.copyOf(bytes, place);
        } else if (how == 1) {
            Arrays.fill(bytes, place, Math.min(bytes.length, place + 3), (byte) -1);
            bytes[Math.min(bytes.length - 1, place + 3)] = Byte.MAX_VALUE;
        } else {
            bytes[place] = value;
        }
        Path damaged = folder.resolve("damaged");
        Files.write(damaged, bytes);
        for (RowOrder order : List.of(RowOrder.AS_GIVEN, RowOrder.shuffled(1, 7, 3, 1, 1))) {
            try {
                Drained drained = Drained.inOrder(order, Bytes.EMPTY, schema, SETTINGS, damaged);
                assertThat(drained.rows()).hasSizeLessThan(1_000);
            } catch (InvalidRequestException e) {
                assertThat(e.getMessage()).startsWith("Cannot ingest " + damaged).hasLineCount(1);
            }
        }
    }
}
