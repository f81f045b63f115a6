package io.batchweave.cli.rows.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.CountingStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.Requests;
import io.batchweave.world.World;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of objects on a store: those of the same files on a disk, in few requests. */
class StoredRowsTest {
    private static final RowSettings SETTINGS = new RowSettings.ByRows(500);
    private static final RowOrder SHUFFLED = RowOrder.shuffled(1, 7, 2_000, 1, 1);
    private static final PayloadSchema SCHEMA = SchemaArgument.parse("id:long!,text:string");
    private static final int GROUP_ROWS = 1_000;
    private static final int GROUPS = 3;

    /** What the reader of gzip takes from a file at once, behind a header of 10 bytes. */
    private static final int GZIP_BYTES = (1 << 16) + 10;

    @TempDir Path folder;
    private final CountingStore store = new CountingStore(new MemoryStore(World.real()));
    private final Locations locations = new Locations(uri -> store);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.jsonl",
                "b.jsonl.gz",
                "c.jsonl.zst",
                "d.arrow",
                "e.arrows",
                "f.parquet",
                "."
            })
    void rowsAreThoseOfTheSameFilesOnADisk(String name) throws IOException {
        writeEveryKind();
        upload();

        assertSame(RowOrder.AS_GIVEN, name);
        assertSame(SHUFFLED, name);
    }

    private void assertSame(RowOrder order, String name) {
        String key = name.equals(".") ? "" : name;
        Drained local = drained(order, Bytes.EMPTY, folder.resolve(name).toString());
        Drained stored = drained(order, Bytes.EMPTY, "memory:///" + key);

        assertThat(stored.rows()).isEqualTo(local.rows()).hasSizeGreaterThan(2_000);
        assertThat(stored.progress()).isEqualTo(local.progress());
        assertThat(stored.runs().get(0).get(0).first().input()).startsWith("memory:///" + key);
        // An ingest of files goes on with copies of them on a store.
        Bytes middle = local.progress().get(2);
        assertThat(drained(order, middle, "memory:///" + key).slices())
                .isEqualTo(local.slices().subList(3, local.slices().size()));
    }

    /** For its fingerprint, and up to the place and from there on. */
    @Test
    void anInputOfLinesIsReadTwiceToGoOnInIt() {
        String line = "{\"id\":7,\"more\":\"" + "x".repeat(400) + "\"}\n";
        byte[] lines = line.repeat(10_000).getBytes(UTF_8);
        store.create("a.jsonl", ByteBuffer.wrap(lines));
        Drained all = drained(RowOrder.AS_GIVEN, Bytes.EMPTY, "memory:///a.jsonl");
        Requests before = store.requests();

        Bytes nearTheEnd = all.progress().get(all.progress().size() - 2);
        assertThat(drained(RowOrder.AS_GIVEN, nearTheEnd, "memory:///a.jsonl").slices()).hasSize(1);

        assertThat(store.requests().minus(before).bytesDown())
                .isBetween(2L * lines.length - (1 << 16), 2L * lines.length + (1 << 16));
    }

    @ParameterizedTest
    @CsvSource({"'id:long!', false", "'id:long!,text:string', true"})
    void ofParquetEachRowGroupIsOneRequestForTheColumnsThatAreWanted(String columns, boolean all)
            throws IOException {
        Path file = writeParquet();
        upload();
        Input input = inputs("memory:///f.parquet").file(0);
        try (BufferAllocator allocator = new RootAllocator();
                SliceRows slice = new SliceRows(SchemaArgument.parse(columns), allocator)) {
            Requests before = store.requests();
            int rows = 0;
            try (RowReader reader = RowInput.PARQUET.open(input, slice)) {
                for (; reader.read(); rows++) {
                    slice.clear();
                }
            }
            Requests made = store.requests().minus(before);

            assertThat(rows).isEqualTo(GROUPS * GROUP_ROWS);
            assertThat(made.total()).isEqualTo(made.reads()).isEqualTo(1 + GROUPS);
            long most = (1 + GROUPS) * (1L << 16);
            assertThat(made.bytesDown())
                    .isBetween(all ? Files.size(file) : 0, all ? Files.size(file) + most : most);
        }
    }

    /** One to see that each can be ingested, one to ingest it. */
    @Test
    void ofASmallObjectTwoRequestsAreMade() throws IOException {
        for (int file = 0; file < 5; file++) {
            Files.write(folder.resolve(file + ".jsonl"), lines(100));
        }
        upload();

        Drained drained = drained(RowOrder.AS_GIVEN, Bytes.EMPTY, "memory:///");

        assertThat(drained.rows()).hasSize(500);
        assertThat(store.requests().reads()).isEqualTo(10);
        assertThat(store.requests().lists()).isEqualTo(1);
    }

    /** The reader of gzip takes a member for the last if nothing seems to follow. */
    @Test
    void membersOfGzipThatEndWhereAReadEndsAreFollowedByOthers() throws IOException {
        byte[] member = gzipOf(GZIP_BYTES);
        try (OutputStream out = Files.newOutputStream(folder.resolve("b.jsonl.gz"))) {
            out.write(member);
            out.write(member);
            out.write(member);
        }
        upload();

        for (RowOrder order : List.of(RowOrder.AS_GIVEN, SHUFFLED)) {
            assertThat(drained(order, Bytes.EMPTY, folder.toString()).rows()).hasSize(3);
            assertThat(drained(order, Bytes.EMPTY, "memory:///").rows()).hasSize(3);
        }
    }

    private Drained drained(RowOrder order, Bytes committed, String argument) {
        return Drained.inOrder(order, committed, SCHEMA, SETTINGS, inputs(argument));
    }

    private Inputs inputs(String argument) {
        return RowSource.inputs(locations, List.of(argument));
    }

    private void writeEveryKind() throws IOException {
        byte[] lines = lines(20_000);
        Path plain = Files.write(folder.resolve("a.jsonl"), lines);
        try (OutputStream out =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("b.jsonl.gz")))) {
            out.write(lines);
        }
        Files.write(folder.resolve("c.jsonl.zst"), Zstd.compress(lines));
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(SCHEMA, allocator, plain),
                                new RowSettings.ByRows(2_000))) {
            var slice = source.next();
            var codec = CompressionUtil.CodecType.ZSTD;
            ArrowFiles.writeFile(folder.resolve("d.arrow"), slice, codec, 4);
            ArrowFiles.writeStream(folder.resolve("e.arrows"), slice, codec, 4);
        }
        writeParquet();
    }

    private static byte[] lines(int count) {
        StringBuilder lines = new StringBuilder();
        Random random = new Random(3);
        IntStream.range(0, count)
                .forEach(
                        id ->
                                lines.append(
                                        "{\"id\":%d,\"text\":\"%x\"}\n"
                                                .formatted(id, random.nextLong())));
        return lines.toString().getBytes(UTF_8);
    }

    /** Its texts are larger than what is read ahead. */
    private Path writeParquet() throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int64 id; optional binary text (STRING); }");
        Random random = new Random(5);
        Group[] rows =
                IntStream.range(0, GROUPS * GROUP_ROWS)
                        .mapToObj(
                                id ->
                                        new SimpleGroup(schema)
                                                .append("id", (long) id)
                                                .append(
                                                        "text",
                                                        Long.toHexString(random.nextLong())
                                                                .repeat(20)))
                        .toArray(Group[]::new);
        return ParquetFiles.writeGroups(folder.resolve("f.parquet"), schema, GROUP_ROWS, rows);
    }

    /** One line of JSON in a member of gzip of this size. */
    private static byte[] gzipOf(int size) throws IOException {
        for (int spaces = size - 200; spaces < size; spaces++) {
            ByteArrayOutputStream member = new ByteArrayOutputStream();
            try (OutputStream out = new Uncompressed(member)) {
                out.write(("{\"id\":1" + " ".repeat(spaces) + "}\n").getBytes(UTF_8));
            }
            if (member.size() == size) {
                return member.toByteArray();
            }
        }
        throw new AssertionError("no member has " + size + " bytes");
    }

    private static final class Uncompressed extends GZIPOutputStream {
        Uncompressed(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.NO_COMPRESSION);
        }
    }

    private void upload() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                store.create(
                        file.getFileName().toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
    }
}
