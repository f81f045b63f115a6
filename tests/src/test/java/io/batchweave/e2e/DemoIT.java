package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo, and what it leaves: nothing that was not asked for. */
class DemoIT {
    private static final int PRODUCERS_AND_TRAINERS = 7;

    @TempDir private Path folder;
    private Path temporary;

    @BeforeEach
    void makeTemporaryFolder() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
    }

    private CliProcess demo(String... arguments) {
        return CliProcess.start(
                folder,
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + temporary),
                "io.batchweave.cli.Main",
                Stream.concat(Stream.of("demo"), Arrays.stream(arguments)).toArray(String[]::new));
    }

    @Test
    void everythingThatTheDemoChecksHolds() {
        try (CliProcess demo = demo("--json")) {
            List<JsonNode> objects = demo.end().succeeded().json();

            assertThat(objects).hasSize(1);
            assertThat(objects.get(0).get("checks"))
                    .hasSizeGreaterThanOrEqualTo(8)
                    .allSatisfy(check -> assertThat(check.asBoolean()).isTrue());
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(folder.resolve("warehouse")).doesNotExist();
    }

    @Test
    void whatIsToBeKeptIsKept() {
        List<String> arguments = new ArrayList<>(List.of("--keep", "--field", "question,answer"));
        for (String name : List.of("one", "two")) {
            Path file = folder.resolve(name + ".jsonl");
            arguments.addAll(List.of("--input", Corpus.generated(file, 400).file().toString()));
        }
        try (CliProcess demo = demo(arguments.toArray(String[]::new))) {
            assertThat(demo.end().succeeded().out())
                    .contains("starting 2 producers", "kept demo.text")
                    .doesNotContain("WRONG");
        }
        assertThat(temporary).isEmptyDirectory();
        Cli kept = new Cli(folder.resolve("warehouse"));
        assertThat(kept.verifyIsClean("demo.text").get("steps").asLong()).isGreaterThan(48);
        assertThat(kept.status("demo.text").get("phase").asText()).isEqualTo("sealed");
    }

    @Test
    void anInterruptedDemoEndsItsProcessesAndDeletesItsData() throws Exception {
        CliProcess.requireSignals();
        try (CliProcess demo = demo()) {
            demo.await("processes", () -> demo.children().size() == PRODUCERS_AND_TRAINERS);
            List<ProcessHandle> children = demo.children();
            demo.signal("INT");

            assertThat(demo.end().refused(130))
                    .isEqualTo(
                            "batchweave: Interrupted: its processes have ended, and its data is"
                                    + " deleted");
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void tooLittleTextIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("a.txt"), "hello world");

        Ran ran = Cli.runAlone("demo", "--json", "--input", text.toString());

        assertThat(ran.refused(2))
                .contains("Cannot run the demo with 3 tokens of text: it needs at least 6144");
    }
}
