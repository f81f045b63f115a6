package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs read: one object a line, its fields in a fixed order, nothing else. */
class JsonTest {
    @TempDir private static Path folder;
    private static Cli cli;
    private static JsonNode created;
    private static JsonNode ingested;
    private static JsonNode sealed;

    @BeforeAll
    static void publish() {
        cli = new Cli(folder.resolve("warehouse"));
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        created = one("create", "t.x", "--tokens", "--grid", "dp=2,cp=2", "--json");
        ingested = one(corpus.ingest("t.x", "p0", "--json"));
        sealed = one("seal", "t.x", "--json");
    }

    private static JsonNode one(String... arguments) {
        List<JsonNode> objects = cli.run(arguments).succeeded().json();
        assertThat(objects).hasSize(1);
        return objects.get(0);
    }

    private static List<String> fields(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void createTellsWhatItCreated() {
        assertThat(fields(created)).containsExactly("dataset", "id", "grid");
        assertThat(created.get("grid").asText()).isEqualTo("dp=2,cp=2");
        assertThat(created.get("id")).isEqualTo(cli.status("t.x").get("id"));
    }

    @Test
    void ingestTellsWhatItPublished() {
        assertThat(fields(ingested))
                .containsExactly("dataset", "producer", "batches", "tokens", "documents", "sealed");
        assertThat(ingested.get("batches").asLong()).isEqualTo(cli.steps("t.x"));
        assertThat(ingested.get("sealed").asBoolean()).isFalse();
    }

    @Test
    void sealTellsAfterHowManySteps() {
        assertThat(fields(sealed)).containsExactly("dataset", "steps");
    }

    @Test
    void readBeginsWithTheStepAndItsSlices() {
        List<JsonNode> lines =
                cli.run("read", "t.x", "--mesh", "dp=1/2", "--json").succeeded().json();

        assertThat(lines).hasSize((int) cli.steps("t.x"));
        for (int step = 0; step < lines.size(); step++) {
            JsonNode line = lines.get(step);
            assertThat(fields(line)).startsWith("step", "slices");
            assertThat(line.get("step").asLong()).isEqualTo(step);
            assertThat(line.get("slices")).hasSize(2);
            JsonNode slice = line.at("/slices/1");
            assertThat(fields(slice)).containsExactly("index", "rows", "bytes", "digest");
            assertThat(slice.get("index").asInt()).isEqualTo(3);
            assertThat(slice.get("rows").asLong()).isEqualTo(1);
            assertThat(slice.get("bytes").asLong()).isPositive();
            assertThat(slice.get("digest").asText()).matches("[0-9a-f]{64}");
            assertThat(line.get("cursor").asText())
                    .startsWith(created.get("id").asText() + ":" + (step + 1) + ":");
        }
    }

    @Test
    void statusTellsTheWholeAndEachProducer() {
        JsonNode status = cli.status("t.x");

        assertThat(fields(status))
                .containsExactly(
                        "dataset",
                        "id",
                        "phase",
                        "grid",
                        "version",
                        "steps",
                        "rows",
                        "bytes",
                        "counts",
                        "low_step",
                        "swept_step",
                        "swept_bytes",
                        "receipt",
                        "declared_producers",
                        "producers",
                        "settings",
                        "jobs",
                        "skips");
        assertThat(status.get("rows").asLong()).isEqualTo(4 * cli.steps("t.x"));
        assertThat(status.get("producers")).hasSize(1);
        assertThat(status.at("/producers/0/finished").asBoolean()).isTrue();
    }

    @Test
    void stepsTellsWhoPublishedEachAndWhen() {
        List<JsonNode> steps = cli.run("steps", "t.x", "--from", "1", "--json").succeeded().json();

        assertThat(steps).hasSize((int) cli.steps("t.x") - 1);
        JsonNode first = steps.get(0);
        assertThat(fields(first))
                .containsExactly(
                        "step",
                        "version",
                        "producer",
                        "epoch",
                        "sequence",
                        "rows",
                        "bytes",
                        "counts",
                        "published_at",
                        "swept",
                        "receipt");
        assertThat(first.get("step").asLong()).isEqualTo(1);
        assertThat(Instant.parse(first.get("published_at").asText())).isAfter(Instant.EPOCH);
    }

    @Test
    void logTellsWhatBecameOfEachEntry() {
        List<JsonNode> commits = cli.run("log", "t.x", "--json").succeeded().json();

        assertThat(commits).hasSize(cli.status("t.x").get("version").asInt() + 1);
        for (int version = 0; version < commits.size(); version++) {
            assertThat(fields(commits.get(version)))
                    .containsExactly("version", "id", "time", "writer", "entries");
            assertThat(commits.get(version).get("version").asInt()).isEqualTo(version);
            assertThat(fields(commits.get(version).at("/entries/0")))
                    .containsExactly("entry", "verdict");
        }
        assertThat(commits.get(1).at("/entries/0/entry").asText()).isEqualTo("open producer p0");
        assertThat(commits.get(2).at("/entries/0/verdict").asText()).isEqualTo("step 0");
    }

    @Test
    void verifyTellsWhatItChecked() {
        JsonNode report = cli.verifyIsClean("t.x");

        assertThat(fields(report))
                .containsExactly(
                        "dataset",
                        "clean",
                        "commits",
                        "steps",
                        "swept_steps",
                        "slices",
                        "bytes",
                        "entries_without_effect",
                        "orphans",
                        "findings",
                        "listed",
                        "left");
        assertThat(report.get("clean").asBoolean()).isTrue();
        assertThat(report.get("bytes")).isEqualTo(cli.status("t.x").get("bytes"));
    }

    @Test
    void statsAreOneLineOnStandardError() {
        Ran read = cli.run("read", "t.x", "--json", "--stats");

        assertThat(read.code()).isZero();
        assertThat(read.json()).hasSize((int) cli.steps("t.x"));
        assertThat(read.err())
                .matches(
                        "stats: creates=0 uploads=0 reads=\\d+ lists=\\d+ deletes=0 refused=0"
                                + " unknown=0 bytes_up=0 bytes_down=\\d+\\n");
    }

    @Test
    void aMistakePrintsNothingThatAProgramCouldTakeForAnAnswer() {
        Ran ran = cli.run("status", "t.none", "--json");

        assertThat(ran.out()).isEmpty();
        ran.refused(2);
    }
}
