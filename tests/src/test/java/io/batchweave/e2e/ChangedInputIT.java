package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An input that somebody writes to while it is read. */
class ChangedInputIT {
    private static final int ROWS = 200_000;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"--epochs,1", "--epochs,2", "--shuffle,7"})
    void nothingIsPublishedOfAnInputThatChangesWhileItIsRead(String option, String value)
            throws Exception {
        Cli cli = new Cli(folder.resolve("warehouse"));
        cli.run("create", "t.x", "--grid", "dp=2", "--schema", "id:long!").succeeded();
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), lines(0));
        String warehouse = HaltingStore.freezingUri(cli.warehouse(), Moment.BEFORE_COMMIT, 3);
        String[] ingest = {
            "ingest",
            "t.x",
            rows.toString(),
            "--producer",
            "p",
            "--rows-per-slice",
            "500",
            option,
            value
        };

        try (CliProcess process = CliProcess.start(folder, Cli.at(warehouse, ingest))) {
            process.await("stop", process::isStopped);
            Files.writeString(rows, lines(1), StandardOpenOption.WRITE);
            process.signal("CONT");

            assertThat(process.end().refused(2))
                    .contains(
                            "Cannot ingest "
                                    + rows
                                    + ": it was changed while it was read, and nothing of the batch"
                                    + " was published");
        }
        cli.verifyIsClean("t.x");
        assertThat(cli.run(ingest).refused(2)).contains("Cannot resume at ");
        Files.writeString(rows, lines(0));
        cli.run(ingest).succeeded();
        assertThat(cli.status("t.x").get("rows").asLong())
                .isEqualTo(option.equals("--epochs") && value.equals("2") ? 2L * ROWS : ROWS);
    }

    /** Lines of the same length whatever they begin with. */
    private static String lines(int first) {
        return IntStream.range(0, ROWS)
                .mapToObj(row -> "{\"id\":%07d}".formatted(row).replace(":0", ":" + (1 + first)))
                .collect(Collectors.joining("\n"));
    }
}
