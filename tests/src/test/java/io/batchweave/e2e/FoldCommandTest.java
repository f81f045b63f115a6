package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.rest.RestServer;
import io.batchweave.catalog.rest.RestSettings;
import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that folds. */
class FoldCommandTest {
    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void publish() {
        cli = new Cli(folder.resolve("warehouse"));
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.run("create", "t.x", "--tokens", "--grid", "dp=2,cp=2").succeeded();
        cli.run(corpus.ingest("t.x", "p0")).succeeded();
    }

    private JsonNode fold(String... more) {
        List<String> arguments = new ArrayList<>(List.of("fold", "t.x", "--json"));
        arguments.addAll(List.of(more));
        List<JsonNode> lines = cli.run(arguments.toArray(String[]::new)).succeeded().json();
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    @Test
    void itTellsWhatItAdded() {
        JsonNode first = fold();
        List<String> names = new ArrayList<>();
        first.fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "dataset",
                        "steps",
                        "events",
                        "next_step",
                        "next_version",
                        "merged",
                        "tags",
                        "expired");
        assertThat(first.get("steps").asLong()).isEqualTo(cli.steps("t.x"));
        assertThat(fold().get("steps").asLong()).isZero();
        assertThat(folder.resolve("warehouse/t/x_steps/metadata")).isDirectory();
        assertThat(folder.resolve("warehouse/t/x_events/metadata")).isDirectory();
    }

    @Test
    void theViewCanBeMadeAnew() {
        fold();
        JsonNode again = fold("--rebuild", "--expire");
        assertThat(again.get("steps").asLong()).isEqualTo(cli.steps("t.x"));
        assertThat(again.get("expired").asLong()).isPositive();
        cli.verifyIsClean("t.x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "{\"format-version\":2", "{}"})
    void damagedMetadataIsSaidAndMadeAnew(String text) {
        fold();
        Objects objects = new Objects(cli.warehouse());
        String newest =
                objects.keys("t/x_steps/metadata").stream()
                        .filter(key -> key.matches(".*/v[0-9]+\\.metadata\\.json"))
                        .max(Comparator.comparingInt(FoldCommandTest::version))
                        .orElseThrow();
        objects.change(newest, bytes -> text.getBytes(UTF_8));

        assertThat(cli.run("fold", "t.x").refused(5)).contains(newest, "fold --rebuild");
        assertThat(cli.run("steps", "t.x", "--json").succeeded().json())
                .hasSize((int) cli.steps("t.x"));
        assertThat(fold("--rebuild").get("steps").asLong()).isEqualTo(cli.steps("t.x"));

        assertThat(fold().get("steps").asLong()).isZero();
    }

    @Test
    void viewOfALaterFormatIsLeftAlone() {
        fold();
        Objects objects = new Objects(cli.warehouse());
        objects.keys("t/x_steps/metadata").stream()
                .filter(key -> key.endsWith(".metadata.json"))
                .forEach(
                        key ->
                                objects.change(
                                        key, bytes -> "{\"format-version\":99}".getBytes(UTF_8)));

        for (String[] command :
                new String[][] {{"fold", "t.x"}, {"fold", "t.x", "--rebuild"}, {"drop", "t.x"}}) {
            assertThat(cli.run(command).refused(7)).contains("unsupported version");
        }
    }

    private static int version(String key) {
        return Integer.parseInt(key.replaceAll("\\D+(\\d+)\\D+$", "$1"));
    }

    @Test
    void itFoldsIntoAnotherCatalog() {
        Path other = folder.resolve("other");
        fold("-P", "type=hadoop", "-P", "warehouse=" + other.toUri());
        assertThat(Files.exists(other.resolve("t/x_steps/metadata"))).isTrue();
        assertThat(Files.exists(folder.resolve("warehouse/t/x_steps"))).isFalse();
    }

    @Test
    void itFoldsThroughAServerOfTables() throws IOException {
        World world = World.real();
        try (ObjectStore store = Stores.open(cli.warehouse().toString(), world);
                ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, world);
                RestServer server =
                        RestServer.start(
                                catalog, RestSettings.loopback(0, Access.READ_AND_WRITE))) {
            String[] rest = {"-P", "type=rest", "-P", "uri=" + server.uri()};
            assertThat(fold(rest).get("steps").asLong()).isEqualTo(cli.steps("t.x"));
            assertThat(fold(rest).get("steps").asLong()).isZero();
        }
        assertThat(fold().get("steps").asLong()).isZero();
    }

    @Test
    void mistakesAreOneLine() {
        cli.run("fold", "t.none").refused(2);
        cli.run("fold", "t.x", "--follow", "--rebuild").refused(2);
        cli.run("fold", "t.x", "-P", "type=nonsense").refused(2);
    }
}
