package io.batchweave.cli.rows.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Going on behind committed rows. */
class RowResumeTest {
    private static final PayloadSchema SCHEMA = SchemaArgument.parse("n:int!,s:string");
    private static final RowSettings THREES = new RowSettings.ByRows(3);

    @TempDir Path folder;
    private Path[] inputs;

    @BeforeEach
    void writeInputsOfEveryKind() throws IOException {
        Path lines = folder.resolve("a.jsonl");
        Files.writeString(lines, lines(0, 7));
        Path empty = folder.resolve("b.jsonl");
        Files.writeString(empty, "\n");
        Path arrow = folder.resolve("c.arrow");
        Path stream = folder.resolve("d.arrows");
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(Drained.inputs(SCHEMA, allocator, lines), THREES)) {
            ArrowFiles.writeFile(arrow, source.next(), CompressionUtil.CodecType.NO_COMPRESSION, 3);
            ArrowFiles.writeStream(stream, source.next(), CompressionUtil.CodecType.ZSTD, 2);
        }
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 n; optional binary s (STRING); }");
        Group[] rows =
                IntStream.range(100, 108)
                        .mapToObj(n -> new SimpleGroup(schema).append("n", n))
                        .toArray(Group[]::new);
        Path parquet = ParquetFiles.write(folder.resolve("e.parquet"), schema, rows);
        inputs = new Path[] {lines, empty, arrow, stream, parquet};
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(n -> "{\"n\":%d,\"s\":\"row %d\"}\n".formatted(n, n))
                .collect(Collectors.joining());
    }

    @Test
    void goingOnAfterAnySliceGivesWhatAnUndisturbedRunGives() {
        for (RowSettings settings :
                List.of(THREES, new RowSettings.ByRows(1), new RowSettings.ByBytes(40))) {
            Drained whole = Drained.of(SCHEMA, settings, inputs);
            assertThat(whole.rows()).hasSize(7 + 9 + 6 + 8);
            for (int done = 1; done <= whole.slices().size(); done++) {
                Bytes committed = whole.progress().get(done - 1);
                Drained rest = Drained.from(committed, SCHEMA, settings, inputs);

                assertThat(rest.slices())
                        .isEqualTo(whole.slices().subList(done, whole.slices().size()));
                assertThat(rest.progress())
                        .isEqualTo(whole.progress().subList(done, whole.slices().size()));
                assertThat(committed.length()).isLessThan(600);
            }
        }
    }

    @Test
    void linesAndInputsMayBeAdded() throws IOException {
        Drained before = Drained.of(SCHEMA, THREES, inputs[0]);
        Files.writeString(inputs[0], lines(7, 9), StandardOpenOption.APPEND);
        Bytes last = before.progress().get(before.progress().size() - 1);

        assertThat(Drained.from(last, SCHEMA, THREES, inputs[0], inputs[4]).rows())
                .startsWith("7|row 7", "8|row 8", "100|null")
                .hasSize(2 + 8);
    }

    @Test
    void changedInputsAreRefusedWithBothPositions() throws IOException {
        Drained whole = Drained.of(SCHEMA, THREES, inputs);
        Bytes inParquet = whole.progress().get(whole.progress().size() - 2);
        byte[] bytes = Files.readAllBytes(inputs[4]);
        bytes[6] ^= 1;
        Files.write(inputs[4], bytes);

        assertThatThrownBy(() -> Drained.from(inParquet, SCHEMA, THREES, inputs))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot resume at e.parquet (input 4), row 5: it had ")
                .hasMessageContaining(" and has " + bytes.length + " (digest ");

        Files.writeString(inputs[0], " ", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> Drained.from(inParquet, SCHEMA, THREES, inputs))
                .hasMessageContaining("the names or lengths of the inputs before it have changed");
        assertThatThrownBy(() -> Drained.from(inParquet, SCHEMA, THREES, inputs[0]))
                .hasMessageContaining("there are only 1 inputs");
    }

    @Test
    void shorterLinesAndOtherNamesAreRefused() throws IOException {
        Drained whole = Drained.of(SCHEMA, THREES, inputs[0]);
        Bytes committed = whole.progress().get(0);
        Path other = folder.resolve("other.jsonl");
        Files.copy(inputs[0], other);
        assertThatThrownBy(() -> Drained.from(committed, SCHEMA, THREES, other))
                .hasMessageContaining("a.jsonl (input 0), row 3: that input is other.jsonl");

        Files.writeString(inputs[0], lines(0, 5));
        assertThatThrownBy(() -> Drained.from(committed, SCHEMA, THREES, inputs[0]))
                .hasMessageContaining("it had ");
    }

    @Test
    void changedSettingsAreRefused() {
        Bytes committed = Drained.of(SCHEMA, THREES, inputs).progress().get(0);

        assertThatThrownBy(
                        () -> Drained.from(committed, SCHEMA, new RowSettings.ByBytes(9), inputs))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "--rows-per-slice was 3 for what is committed and is not given");
    }

    @Test
    void whatIsNotGivenIsNotInTheProgress() {
        assertThat(text(Drained.of(SCHEMA, THREES, inputs).progress().get(0)))
                .startsWith(
                        "{\"row_format\":2,\"settings\":{\"rows_per_slice\":3},\"order\":{\"epochs\":1,"
                                + "\"mixing\":{},\"part\":1,\"parts\":1},\"position\":{");
        Drained shuffled =
                Drained.inOrder(
                        RowOrder.shuffled(1, 0, 9, 1, 1),
                        Bytes.EMPTY,
                        SCHEMA,
                        new RowSettings.ByBytes(7),
                        inputs);
        assertThat(text(shuffled.progress().get(0)))
                .startsWith(
                        "{\"row_format\":2,\"settings\":{\"bytes_per_slice\":7},\"order\":{\"epochs\":1,"
                                + "\"mixing\":{\"seed\":0,\"window\":9},\"part\":1,\"parts\":1},");
    }

    @Test
    void progressOfTheFirstFormatIsGoneOnWith() {
        for (RowOrder order : List.of(RowOrder.AS_GIVEN, RowOrder.shuffled(1, 7, 9, 1, 1))) {
            Drained all = Drained.inOrder(order, Bytes.EMPTY, SCHEMA, THREES, inputs);
            String first =
                    text(all.progress().get(1))
                            .replace("\"row_format\":2", "\"row_format\":1")
                            .replace(
                                    "{\"rows_per_slice\":3}",
                                    "{\"rows_per_slice\":3,\"bytes_per_slice\":0}")
                            .replace("\"mixing\":{}", "\"seed\":0,\"window\":0")
                            .replace(
                                    "\"mixing\":{\"seed\":7,\"window\":9}",
                                    "\"seed\":7,\"window\":9");

            assertThat(Drained.inOrder(order, bytes(first), SCHEMA, THREES, inputs).slices())
                    .isEqualTo(all.slices().subList(2, all.slices().size()));
        }
    }

    private static String text(Bytes progress) {
        return new String(progress.toArray(), UTF_8);
    }

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(UTF_8));
    }

    @Test
    void progressOfOthersIsRefused() {
        assertThatThrownBy(() -> resume("{\"row_format\":3}"))
                .isInstanceOf(UnsupportedFeatureException.class);
        for (String other : List.of("[]", "{}", "{\"format\":1}", "{\"row_format\":1}", "?")) {
            assertThatThrownBy(() -> resume(other)).isInstanceOf(CorruptException.class);
        }
    }

    private void resume(String progress) {
        Drained.from(
                Bytes.copyOf(progress.getBytes(StandardCharsets.UTF_8)), SCHEMA, THREES, inputs);
    }
}
