package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.rows.TextRows;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.cli.texts.InputUnits;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

/** Tokens of the texts in rows. */
class TextRowsTest {
    private static final IngestSettings SETTINGS =
            new IngestSettings("cl100k_base", 16, 2, List.of("q", "a"));

    /** {@code <|endoftext|>} of cl100k_base. */
    private static final int SEPARATOR = 100_257;

    @TempDir Path folder;

    private static List<String> lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(
                        n ->
                                "{\"q\":\"What is %d?\",\"id\":%d,\"a\":\"It's %d.\"}"
                                        .formatted(n, n, n))
                .toList();
    }

    private Path plain(int from, int to) throws IOException {
        return Files.write(folder.resolve(from + ".jsonl"), lines(from, to));
    }

    private Path zipped(int from, int to) throws IOException {
        Path file = folder.resolve(from + ".jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(String.join("\n", lines(from, to)).getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private Path arrow(int from, int to) throws IOException {
        Path file = folder.resolve(from + ".arrow");
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(
                                        SchemaArgument.parse("q:string,a:string"),
                                        allocator,
                                        plain(from, to)),
                                new RowSettings.ByRows(to - from))) {
            ArrowFiles.writeFile(file, source.next(), CompressionUtil.CodecType.ZSTD, 1);
        }
        Files.delete(folder.resolve(from + ".jsonl"));
        return file;
    }

    private Path parquet(int from, int to) throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { optional binary a (STRING); required binary q (STRING); }");
        Group[] rows =
                IntStream.range(from, to)
                        .mapToObj(
                                n ->
                                        new SimpleGroup(schema)
                                                .append("q", "What is " + n + "?")
                                                .append("a", "It's " + n + "."))
                        .toArray(Group[]::new);
        return ParquetFiles.writeGroups(folder.resolve(from + ".parquet"), schema, 7, rows);
    }

    private Path[] ofEveryKind() throws IOException {
        return new Path[] {
            plain(0, 40),
            Files.writeString(folder.resolve("some.txt"), "\uFEFF{\"a text\": 1}"),
            Files.writeString(folder.resolve("none.md"), ""),
            zipped(40, 60),
            arrow(60, 80),
            parquet(80, 120)
        };
    }

    /** Slices of tokens, and the progress behind each of them. */
    private record Read(List<List<Integer>> slices, List<Bytes> progress) {
        /** Documents, each as the text of its tokens. */
        List<String> documents() {
            List<String> documents = new ArrayList<>();
            StringBuilder document = new StringBuilder();
            for (int token : slices.stream().flatMap(List::stream).toList()) {
                if (token == SEPARATOR) {
                    documents.add(document.toString());
                    document.setLength(0);
                } else {
                    document.append(token).append(' ');
                }
            }
            assertThat(document).isEmpty();
            return documents;
        }
    }

    private static Read all(TokenSource source) {
        List<List<Integer>> slices = new ArrayList<>();
        List<Bytes> progress = new ArrayList<>();
        try (source) {
            RowBlock block = source.newBlock();
            while (source.fill(block)) {
                List<Integer> tokens = new ArrayList<>();
                IntBuffer all = block.tokens();
                for (int row = 0; row < block.rows(); row++) {
                    for (int at = 0; at < block.valid(row); at++) {
                        tokens.add(all.get(row * block.seqLen() + at));
                    }
                }
                slices.add(tokens);
                progress.add(source.progress());
            }
        }
        return new Read(slices, progress);
    }

    private static Inputs inputs(Path... files) {
        return TextRows.inputs(Local.LOCATIONS, Stream.of(files).map(Path::toString).toList());
    }

    private static Read read(RowOrder order, Bytes committed, Path... files) {
        return read(order, committed, SETTINGS, files);
    }

    private static Read read(
            RowOrder order, Bytes committed, IngestSettings settings, Path... files) {
        try (BufferAllocator allocator = new RootAllocator()) {
            OrderedInputs ordered =
                    TextRows.ordered(inputs(files), settings.fields(), order, allocator);
            return all(
                    committed.length() == 0
                            ? TextRows.start(ordered, settings)
                            : TextRows.resume(ordered, settings, committed));
        }
    }

    @Test
    void textsOfRowsAreTokenizedLikeTheSameTextsInLines() throws IOException {
        Path text = Files.writeString(folder.resolve("some.txt"), "Some text of its own.");
        Read expected = all(InputUnits.start(inputs(plain(0, 40), text, plain(40, 80)), SETTINGS));

        assertThat(TextRows.areNeededFor(inputs(plain(0, 40), text))).isFalse();
        for (Path others : List.of(zipped(40, 80), arrow(40, 80), parquet(40, 80))) {
            assertThat(TextRows.areNeededFor(inputs(plain(0, 40), text, others))).isTrue();
            assertThat(read(RowOrder.AS_GIVEN, Bytes.EMPTY, plain(0, 40), text, others).slices())
                    .isEqualTo(expected.slices());
        }
    }

    @Test
    void everyDocumentComesOncePerEpochOverAllParts() throws IOException {
        Path[] files = ofEveryKind();
        List<String> once = read(RowOrder.AS_GIVEN, Bytes.EMPTY, files).documents();
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertThat(once).hasSize(121).doesNotHaveDuplicates();

        List<String> found = new ArrayList<>();
        for (int part = 1; part <= 3; part++) {
            RowOrder order = RowOrder.shuffled(2, 77, 16, part, 3);
            found.addAll(read(order, Bytes.EMPTY, files).documents());
        }

        assertThat(found).containsExactlyInAnyOrderElementsOf(twice).isNotEqualTo(twice);
        assertThat(read(RowOrder.inOrder(2, 1, 1), Bytes.EMPTY, files).documents())
                .containsExactlyInAnyOrderElementsOf(twice);
    }

    @Test
    void goingOnAfterAnySliceGivesWhatAnUndisturbedRunGives() throws IOException {
        Path[] files = ofEveryKind();
        for (RowOrder order :
                List.of(
                        RowOrder.AS_GIVEN,
                        RowOrder.shuffled(2, 77, 30, 1, 1),
                        RowOrder.shuffled(2, 77, 30, 2, 2))) {
            Read whole = read(order, Bytes.EMPTY, files);
            int slices = whole.slices().size();
            for (int done = 1; done <= slices; done += 2) {
                Bytes committed = whole.progress().get(done - 1);
                Read rest = read(order, committed, files);

                assertThat(TextRows.wrote(committed)).isTrue();
                assertThat(rest.slices()).isEqualTo(whole.slices().subList(done, slices));
                assertThat(rest.progress()).isEqualTo(whole.progress().subList(done, slices));
            }
        }
    }

    @Test
    void changedSettingsAndOrdersAreRefusedWithBothValues() throws IOException {
        Path file = parquet(0, 60);
        RowOrder order = RowOrder.shuffled(1, 7, 20, 1, 1);
        Bytes committed = read(order, Bytes.EMPTY, file).progress().get(2);

        assertThatThrownBy(() -> read(RowOrder.shuffled(1, 8, 20, 1, 1), committed, file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("--shuffle was 7 for what is committed and is 8 now");
        IngestSettings others = new IngestSettings("cl100k_base", 16, 2, List.of("q"));
        assertThatThrownBy(() -> read(order, committed, others, file))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("--field was [q, a] for what is committed and is [q] now");
    }

    @Test
    void whatHoldsNoTextIsRefused() throws IOException {
        Path parquet = parquet(0, 9);
        IngestSettings none = new IngestSettings("cl100k_base", 16, 2, List.of());
        IngestSettings other = new IngestSettings("cl100k_base", 16, 2, List.of("t"));

        assertThatThrownBy(() -> read(RowOrder.AS_GIVEN, Bytes.EMPTY, none, parquet))
                .hasMessageContaining("without --field");
        assertThatThrownBy(() -> read(RowOrder.AS_GIVEN, Bytes.EMPTY, other, parquet))
                .hasMessageContaining("column t: it is required, and the input does not have it")
                .hasMessageContaining("it has a, q");
    }

    @Test
    void aNullIsNoText() throws IOException {
        Path lines = Files.writeString(folder.resolve("x.jsonl"), "{\"q\":\"why\",\"a\":null}\n");

        assertThatThrownBy(() -> read(RowOrder.inOrder(2, 1, 1), Bytes.EMPTY, lines))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("x.jsonl line 1, column a: it is required");
    }

    @Test
    void aTextTooLongToBeARowIsRefusedWithWhatToDo() throws IOException {
        Path text = folder.resolve("long.txt");
        Files.writeString(text, "word ".repeat(JsonLine.BYTES_MAX / 5 + 1));

        assertThatThrownBy(() -> read(RowOrder.shuffled(1, 3, 10, 1, 1), Bytes.EMPTY, text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("long.txt: a text file is one document")
                .hasMessageContaining("without --shuffle");
    }

    /** Memory that one long text took is given back, not cleared again for every short one. */
    @Test
    void aLongTextAmongShortOnesIsRead() throws IOException {
        String text = "word ".repeat(100_000).strip();
        Path lines =
                Files.writeString(
                        folder.resolve("x.jsonl"),
                        Stream.of("a", text, "b", "")
                                .map(t -> "{\"q\":\"%s\",\"a\":\"\"}".formatted(t))
                                .collect(Collectors.joining("\n")));

        assertThat(read(RowOrder.inOrder(1, 1, 1), Bytes.EMPTY, lines).documents()).hasSize(4);
    }
}
