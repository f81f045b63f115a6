package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.arrow.ArrowGuess;
import io.batchweave.cli.rows.parquet.ParquetGuess;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.testing.TestData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every Parquet and Arrow file of two well-known collections, sound ones, odd ones and ones that
 * were made to break readers: rows, or one line that says why not.
 *
 * <p>What is expected is the table {@code sweep.txt}. To write it anew, run this with {@code
 * -Dsweep.table=FILE}, and read what has changed.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SweepTest {
    @Test
    void everyFileGivesItsRowsOrOneLineThatSaysWhyNot() throws IOException {
        Path data = data();
        StringJoiner table = new StringJoiner("\n", "", "\n");
        for (Path file : files(data)) {
            table.add(data.relativize(file) + "\t" + outcome(file, data));
        }
        String wanted = System.getProperty("sweep.table");
        if (wanted != null) {
            Files.writeString(Path.of(wanted), table.toString());
        }
        assertThat(table.toString().lines()).containsExactlyElementsOf(expected());
    }

    @Test
    void everyFileGivesTheSameRowsShuffledAndInParts() throws IOException {
        for (Path file : files(data())) {
            Optional<List<String>> rows = rows(RowOrder.AS_GIVEN, file);

            assertThat(rows(RowOrder.shuffled(1, 3, 7, 1, 1), file)).as("%s", file).isEqualTo(rows);
            assertThat(halves(file)).as("%s", file).isEqualTo(rows);
        }
    }

    private static Optional<List<String>> halves(Path file) {
        Optional<List<String>> first = rows(RowOrder.inOrder(1, 1, 2), file);
        Optional<List<String>> second = rows(RowOrder.inOrder(1, 2, 2), file);
        return first.isEmpty() || second.isEmpty()
                ? Optional.empty()
                : Optional.of(sorted(Stream.of(first.get(), second.get()).flatMap(List::stream)));
    }

    private static List<String> sorted(Stream<String> rows) {
        return rows.sorted().toList();
    }

    /** In the order of their texts; nothing if they are refused. */
    private static Optional<List<String>> rows(RowOrder order, Path file) {
        try {
            RowSettings settings = new RowSettings.ByRows(1_000);
            return Optional.of(
                    sorted(
                            Drained.inOrder(order, Bytes.EMPTY, schema(file), settings, file)
                                    .rows()
                                    .stream()));
        } catch (InvalidRequestException e) {
            assertThat(e.getMessage()).startsWith("Cannot ingest " + file).hasLineCount(1);
            return Optional.empty();
        }
    }

    private static String outcome(Path file, Path data) {
        try {
            Drained drained = Drained.of(schema(file), new RowSettings.ByRows(1_000), file);
            return drained.rows().size() + " rows";
        } catch (InvalidRequestException e) {
            assertThat(e.getMessage()).startsWith("Cannot ingest " + file).hasLineCount(1);
            return e.getMessage().replace(data + "/", "");
        }
    }

    private static PayloadSchema schema(Path file) {
        Optional<RowInput> kind = kind(file);
        if (kind.isEmpty()) {
            return SchemaArgument.parse("x:int");
        }
        return kind.get() == RowInput.PARQUET
                ? ParquetGuess.of(file)
                : ArrowGuess.of(file, kind.get());
    }

    private static Optional<RowInput> kind(Path file) {
        try {
            return Optional.of(RowInput.of(Local.inputs(List.of(file.toString())).file(0)));
        } catch (InvalidRequestException e) {
            return Optional.empty();
        }
    }

    private static List<Path> files(Path data) throws IOException {
        try (Stream<Path> parquet = Files.walk(data.resolve("parquet"));
                Stream<Path> arrow = Files.walk(data.resolve("arrow-ipc"))) {
            return Stream.concat(parquet, arrow)
                    .filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".json.gz"))
                    .filter(file -> !file.endsWith("LICENSE"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> expected() throws IOException {
        try (InputStream table = SweepTest.class.getResourceAsStream("sweep.txt")) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static Path data() {
        String why = "it holds test files of the Apache projects, and each is ingested";
        TestData.at("arrow-ipc", why);
        return TestData.at("parquet", why).getParent();
    }
}
