package io.batchweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Slice;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of rows by the command line. */
class RowIngestTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private String warehouse;

    @BeforeEach
    void nameWarehouse() {
        warehouse = folder.resolve("warehouse").toString();
    }

    @Test
    void aDatasetTakesTheSchemaThatIsNamed() {
        assertThat(run("create", "ns.rows", "--grid", "dp=2", "--schema", "n:int!,s:string"))
                .isEqualTo(ExitCode.OK);

        String schema = log(log -> log.state().dataset().schema());
        assertThat(schema)
                .isEqualTo(SchemaArgument.parse("n:int!,s:string").json())
                .contains("\"schema-id\":0");
        assertThat(run("create", "ns.none", "--grid", "dp=2")).isEqualTo(ExitCode.INVALID);
        assertThat(run("create", "ns.two", "--grid", "dp=2", "--tokens", "--schema", "n:int"))
                .isEqualTo(ExitCode.INVALID);
    }

    @Test
    void everyRankGetsASliceAndNoRowIsLost() throws IOException {
        create();
        Path rows = write("a.jsonl", lines(0, 11));

        assertThat(ingest("--rows-per-slice", "2", rows)).isEqualTo(ExitCode.OK);

        assertThat(rowsOfSteps()).containsExactly(List.of(2L, 2L, 2L), List.of(2L, 2L, 1L));
        assertThat(told.toString(UTF_8)).contains("Published 2 batches with 11 rows to ns.rows");
        assertThat(ingest("--rows-per-slice", "2", rows)).isEqualTo(ExitCode.OK);
        assertThat(rowsOfSteps()).hasSize(2);

        Path more = write("b.jsonl", lines(11, 12));
        assertThat(ingest("--rows-per-slice", "2", rows, more)).isEqualTo(ExitCode.OK);
        assertThat(rowsOfSteps())
                .containsExactly(List.of(2L, 2L, 2L), List.of(2L, 2L, 1L), List.of(1L, 0L, 0L));
    }

    @Test
    void inputsWithoutRowsAreNotSaidToBePublished() throws IOException {
        create();
        Path empty = write("empty.jsonl", "");

        for (int run = 0; run < 2; run++) {
            assertThat(ingest("--rows-per-slice", "2", empty)).isEqualTo(ExitCode.OK);
        }

        assertThat(told.toString(UTF_8))
                .contains("Nothing to do: the inputs hold nothing for producer p to publish")
                .doesNotContain("has published all of it before");
    }

    @Test
    void badInputInTheMiddleOfABatchPublishesNothingOfIt() throws IOException {
        create();
        Path rows = write("a.jsonl", lines(0, 10) + "{\"n\":\"eleven\"}\n" + lines(11, 15));

        assertThat(ingest("--rows-per-slice", "2", rows)).isEqualTo(ExitCode.INVALID);

        assertThat(rowsOfSteps()).containsExactly(List.of(2L, 2L, 2L));
        assertThat(told.toString(UTF_8))
                .contains(
                        "Cannot ingest " + rows + " line 11, column n: it is int and the value is");
    }

    @Test
    void badInputInTheFirstBatchLeavesNoProducerThatKeepsOthersFromSealing() throws IOException {
        create();
        Path bad = write("bad.jsonl", lines(0, 5) + "{\"n\":\"six\"}\n");
        Path good = write("good.jsonl", lines(0, 5));

        assertThat(run("ingest", "ns.rows", bad + "", "--producer", "q", "--rows-per-slice", "2"))
                .isEqualTo(ExitCode.INVALID);
        assertThat(told.toString(UTF_8)).contains(bad + " line 6, column n: it is int and");

        boolean opened = log(log -> log.state().producer("q").isPresent());
        assertThat(opened).isFalse();
        assertThat(
                        run(
                                "ingest",
                                "ns.rows",
                                good.toString(),
                                "--producer",
                                "p",
                                "--rows-per-slice",
                                "2",
                                "--seal"))
                .isEqualTo(ExitCode.OK);
        assertThat(rowsOfSteps()).containsExactly(List.of(2L, 2L, 1L));
    }

    @Test
    void aLaterInputThatDoesNotFitIsRefusedBeforeAnythingIsPublished() throws IOException {
        create();
        Path rows = write("a.jsonl", lines(0, 10));
        Path other = write("b.parquet", "PAR1 this is none");

        assertThat(ingest("--rows-per-slice", "2", rows, other)).isEqualTo(ExitCode.INVALID);

        assertThat(rowsOfSteps()).isEmpty();
        boolean opened = log(log -> log.state().producer("p").isPresent());
        assertThat(opened).isFalse();
    }

    @Test
    void optionsThatWouldDoNothingAreRefused() throws IOException {
        create();
        Path rows = write("a.jsonl", lines(0, 10));

        assertThat(ingest("--seq-len", "2", rows)).isEqualTo(ExitCode.INVALID);
        assertThat(ingest("--field", "s", rows)).isEqualTo(ExitCode.INVALID);
        assertThat(run("ingest", "ns.rows", rows.toString(), "--producer", "p"))
                .isEqualTo(ExitCode.INVALID);
        run("create", "ns.text", "--grid", "dp=1", "--tokens");
        assertThat(
                        run(
                                "ingest",
                                "ns.text",
                                rows.toString(),
                                "--producer",
                                "p",
                                "--field",
                                "s",
                                "--bytes-per-slice",
                                "9"))
                .isEqualTo(ExitCode.INVALID);
    }

    private void create() {
        run("create", "ns.rows", "--grid", "dp=3", "--schema", "n:int!,s:string");
    }

    private ExitCode ingest(String option, String value, Path... files) {
        List<String> arguments = new ArrayList<>(List.of("ingest", "ns.rows", "--producer", "p"));
        arguments.addAll(List.of(option, value));
        for (Path file : files) {
            arguments.add(file.toString());
        }
        return run(arguments.toArray(String[]::new));
    }

    private ExitCode run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--warehouse", warehouse));
        int code = Main.run(told, told, all.toArray(String[]::new));
        for (ExitCode known : ExitCode.values()) {
            if (known.code() == code) {
                return known;
            }
        }
        throw new AssertionError("There is no exit code " + code);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(n -> "{\"n\":%d,\"s\":\"row %d\"}\n".formatted(n, n))
                .collect(Collectors.joining());
    }

    /** For each step the rows of its slices. */
    private List<List<Long>> rowsOfSteps() {
        return log(
                log -> {
                    List<List<Long>> steps = new ArrayList<>();
                    for (long step = 0; step < log.state().nextStep(); step++) {
                        steps.add(
                                log.state().step(step).batch().parts().stream()
                                        .flatMap(part -> part.slices().stream())
                                        .map(Slice::rows)
                                        .toList());
                    }
                    return steps;
                });
    }

    private <T> T log(Function<Log, T> question) {
        World world = World.real();
        try (ObjectStore store = Stores.open(warehouse, world)) {
            return question.apply(
                    Log.open(store, DatasetName.parse("ns.rows"), world, LogLimits.DEFAULT));
        }
    }
}
