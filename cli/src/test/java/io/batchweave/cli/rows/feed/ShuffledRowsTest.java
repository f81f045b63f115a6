package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.RowRun;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of files of every kind in an order that is not theirs. */
class ShuffledRowsTest {
    private static final PayloadSchema SCHEMA = SchemaArgument.parse("n:int!,l:list<string>");
    private static final RowSettings FIVES = new RowSettings.ByRows(5);

    @TempDir Path folder;
    private Path[] inputs;

    /** Rows of {@code n} from 0, each input going on where the one before it ended. */
    @BeforeEach
    void writeInputsOfEveryKind() throws IOException {
        Path plain = Files.writeString(folder.resolve("a.jsonl"), "\uFEFF\n" + lines(0, 3_000));
        Path zipped = folder.resolve("b.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(lines(3_000, 3_100).getBytes(StandardCharsets.UTF_8));
        }
        Path arrow = folder.resolve("c.arrow");
        Path stream = folder.resolve("d.arrows");
        Path some = Files.writeString(folder.resolve("some"), lines(3_100, 3_140));
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(SCHEMA, allocator, some),
                                new RowSettings.ByRows(20))) {
            CompressionUtil.CodecType none = CompressionUtil.CodecType.NO_COMPRESSION;
            ArrowFiles.writeFile(arrow, source.next(), none, 3);
            ArrowFiles.writeStream(stream, source.next(), none, 4);
        }
        inputs = new Path[] {plain, zipped, arrow, stream, parquet("e.parquet", 3_140, 3_390)};
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(n -> "{\"n\":%d,\"l\":[%s]}\n".formatted(n, elements(n, "\"")))
                .collect(Collectors.joining());
    }

    private static String elements(int n, String quote) {
        return IntStream.range(0, n % 3)
                .mapToObj(at -> quote + "e" + n + at + quote)
                .collect(Collectors.joining(","));
    }

    /** In row groups of some rows each, with lists of several lengths. */
    private Path parquet(String name, int from, int to) throws IOException {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 n; optional group l (LIST) { repeated group"
                                + " list { optional binary element (STRING); } } }");
        List<Group> rows = new ArrayList<>();
        for (int n = from; n < to; n++) {
            Group row = new SimpleGroup(schema).append("n", n);
            Group list = row.addGroup("l");
            for (int at = 0; at < n % 3; at++) {
                list.addGroup("list").append("element", "e" + n + at);
            }
            rows.add(row);
        }
        return ParquetFiles.writeGroups(
                folder.resolve(name), schema, 100, rows.toArray(Group[]::new));
    }

    private List<String> inOrder() {
        return Drained.of(SCHEMA, FIVES, inputs).rows();
    }

    private Drained read(RowOrder order) {
        return Drained.inOrder(order, Bytes.EMPTY, SCHEMA, FIVES, inputs);
    }

    @Test
    void everyRowOfEveryKindComesOncePerEpochOverAllParts() {
        List<String> expected = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            expected.addAll(inOrder());
        }
        for (int window : new int[] {0, 64, 1_000, 100_000}) {
            List<String> found = new ArrayList<>();
            for (int part = 1; part <= 4; part++) {
                found.addAll(
                        read(window == 0
                                        ? RowOrder.inOrder(3, part, 4)
                                        : RowOrder.shuffled(3, 9, window, part, 4))
                                .rows());
            }
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void epochsWithoutAShuffleRepeatTheOrderOfTheInputs() {
        List<String> once = inOrder();

        assertThat(read(RowOrder.inOrder(2, 1, 1)).rows())
                .startsWith(once.toArray(String[]::new))
                .endsWith(once.toArray(String[]::new))
                .hasSize(2 * once.size());
    }

    @Test
    void goingOnAfterAnySliceGivesWhatAnUndisturbedRunGives() {
        for (RowOrder order :
                List.of(
                        RowOrder.shuffled(2, 5, 700, 1, 1),
                        RowOrder.shuffled(2, 5, 700, 2, 3),
                        RowOrder.inOrder(1, 3, 3),
                        RowOrder.inOrder(2, 1, 1))) {
            Drained whole = read(order);
            int slices = whole.slices().size();
            for (int done = 1; done <= slices; done += 1 + slices / 15) {
                Bytes committed = whole.progress().get(done - 1);
                Drained rest = Drained.inOrder(order, committed, SCHEMA, FIVES, inputs);

                assertThat(rest.slices()).isEqualTo(whole.slices().subList(done, slices));
                assertThat(rest.progress()).isEqualTo(whole.progress().subList(done, slices));
                assertThat(rest.runs()).isEqualTo(whole.runs().subList(done, slices));
                assertThat(committed.length()).isLessThan(600);
            }
        }
    }

    @Test
    void theOrderDependsOnNamesAndContentAlone() throws IOException {
        RowOrder order = RowOrder.shuffled(1, 5, 500, 1, 1);
        Path elsewhere = Files.createDirectories(folder.resolve("else/where"));
        List<Path> moved = new ArrayList<>();
        for (Path input : inputs) {
            moved.add(Files.copy(input, elsewhere.resolve(input.getFileName())));
        }
        Collections.reverse(moved);
        Drained here = read(order);

        Drained byNames =
                Drained.inOrder(order, Bytes.EMPTY, SCHEMA, FIVES, moved.toArray(Path[]::new));
        Drained byFolder = Drained.inOrder(order, Bytes.EMPTY, SCHEMA, FIVES, elsewhere);

        for (Drained other : List.of(byNames, byFolder)) {
            assertThat(other.slices()).isEqualTo(here.slices());
            assertThat(other.progress()).isEqualTo(here.progress());
        }
    }

    /** Written down once, so that a change of the order does not go unnoticed. */
    @Test
    void theOrderOfASmallCaseIsTheSameEverywhere() throws IOException {
        Path first = Files.writeString(folder.resolve("x.jsonl"), lines(0, 7));
        Path second = Files.writeString(folder.resolve("y.jsonl"), lines(7, 10));
        Path third = Files.writeString(folder.resolve("z.jsonl"), lines(10, 16));

        List<String> rows =
                Drained.inOrder(
                                RowOrder.shuffled(1, 42, 4, 1, 1),
                                Bytes.EMPTY,
                                SchemaArgument.parse("n:int!"),
                                FIVES,
                                third,
                                first,
                                second)
                        .rows();

        assertThat(rows).containsExactly("12 10 2 8 11 7 5 4 13 14 0 3 6 15 9 1".split(" "));
    }

    @Test
    void runsNameTheInputAndRowOfEveryRow() {
        Map<String, List<String>> byName =
                Stream.of(inputs)
                        .collect(
                                Collectors.toMap(
                                        input -> input.getFileName().toString(),
                                        input -> Drained.of(SCHEMA, FIVES, input).rows()));
        for (RowOrder order :
                List.of(
                        RowOrder.AS_GIVEN,
                        RowOrder.inOrder(2, 1, 1),
                        RowOrder.shuffled(2, 8, 50, 1, 2))) {
            Drained drained = read(order);
            for (int at = 0; at < drained.slices().size(); at++) {
                List<String> named = new ArrayList<>();
                for (RowRun run : drained.runs().get(at)) {
                    Path input = Path.of(run.first().input());
                    List<String> rows = byName.get(input.getFileName().toString());
                    int first = (int) run.first().row();
                    named.addAll(rows.subList(first, first + (int) run.rows()));
                }
                assertThat(named).isEqualTo(drained.slices().get(at));
            }
        }
    }

    @Test
    void changedInputsAreRefusedWithBothValues() throws IOException {
        RowOrder order = RowOrder.shuffled(2, 5, 700, 1, 1);
        Bytes committed = read(order).progress().get(3);
        byte[] bytes = Files.readAllBytes(inputs[4]);
        bytes[6] ^= 1;
        Files.write(inputs[4], bytes);

        assertThatThrownBy(() -> Drained.inOrder(order, committed, SCHEMA, FIVES, inputs))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Cannot resume at epoch 0, window ")
                .hasMessageMatching(
                        ".*the inputs were 5 inputs of .* bytes .* and are 5 inputs of .*");
    }

    @Test
    void anotherOrderIsRefused() {
        RowOrder order = RowOrder.shuffled(2, 5, 700, 1, 2);
        Bytes committed = read(order).progress().get(3);
        Bytes streamed = read(RowOrder.AS_GIVEN).progress().get(3);

        assertRefused(committed, RowOrder.shuffled(2, 6, 700, 1, 2), "--shuffle was 5 .* is 6 now");
        assertRefused(committed, RowOrder.shuffled(3, 5, 700, 1, 2), "--epochs was 2 .* is 3 now");
        assertRefused(
                committed, RowOrder.shuffled(2, 5, 700, 2, 2), "--part was 1/2 .* is 2/2 now");
        assertRefused(committed, RowOrder.AS_GIVEN, "--shuffle was 5 .* is not given now");
        assertRefused(streamed, order, "--shuffle was not given .* is 5 now");
    }

    private void assertRefused(Bytes committed, RowOrder order, String why) {
        assertThatThrownBy(() -> Drained.inOrder(order, committed, SCHEMA, FIVES, inputs))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageMatching(".*" + why + ".*");
    }

    @Test
    void aWindowThatDoesNotFitIsRefusedWithTheOptionToLower() {
        try (BufferAllocator allocator = new RootAllocator()) {
            RowOrder order = RowOrder.shuffled(1, 5, 1_000, 1, 1);
            OrderedInputs ordered = Drained.inputs(order, SCHEMA, allocator, inputs);
            try (SliceRows slice = ordered.newSlice();
                    RowFeed feed = ordered.start(slice, 5_000)) {
                assertThatThrownBy(feed::read)
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("take more than 5000 bytes")
                        .hasMessageContaining("--shuffle-window");
            }
        }
    }

    /** Chunks hold what a window holds and not much more, and the next window takes their place. */
    @Test
    void memoryIsThatOfOneWindow() throws IOException {
        Path large = folder.resolve("large.jsonl");
        String pad = "x".repeat(1_000);
        Files.writeString(
                large,
                IntStream.range(0, 12_000)
                        .mapToObj(n -> "{\"n\":%d,\"l\":[\"%s\"]}\n".formatted(n, pad))
                        .collect(Collectors.joining()));
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(
                                        RowOrder.shuffled(1, 5, 4_000, 1, 1),
                                        SCHEMA,
                                        allocator,
                                        large),
                                FIVES)) {
            while (source.next().getRowCount() > 0) {
                assertThat(allocator.getPeakMemoryAllocation()).isLessThan(24L << 20);
            }
        }
    }

    @Test
    void valuesOfEveryTypeComeOutOfAWindowAsTheyWentIn() throws IOException {
        PayloadSchema schema =
                SchemaArgument.parse(Samples.SCHEMA + ",y:uint8[2,2],z:list<float!> as float32[2]");
        String tensors = "{\"y\":[1,2,3,4],\"z\":[0.5,-1]}\n";
        Path samples =
                Files.writeString(folder.resolve("x.jsonl"), (Samples.LINES + tensors).repeat(3));

        List<String> shuffled =
                Drained.inOrder(
                                RowOrder.shuffled(1, 5, 6, 1, 1),
                                Bytes.EMPTY,
                                schema,
                                FIVES,
                                samples)
                        .rows();

        List<String> inOrder = Drained.of(schema, FIVES, samples).rows();
        assertThat(shuffled)
                .containsExactlyInAnyOrderElementsOf(inOrder)
                .isNotEqualTo(inOrder)
                .hasSize(15);
    }

    @Test
    void nothingToShuffleIsNothing() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "\n \n");

        assertThat(
                        Drained.inOrder(
                                        RowOrder.shuffled(2, 5, 10, 2, 3),
                                        Bytes.EMPTY,
                                        SCHEMA,
                                        FIVES,
                                        empty)
                                .rows())
                .isEmpty();
    }
}
