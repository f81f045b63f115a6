package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.cli.Main;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dropping a dataset, as it is typed. */
class DropCommandTest {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void train() throws IOException {
        t = Trained.of(folder, 20);
    }

    private List<String> objects(String of) {
        return new Objects(t.cli().warehouse()).keys(of);
    }

    private Ran answered(String answer, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code =
                Main.run(
                        new ByteArrayInputStream(answer.getBytes(UTF_8)),
                        out,
                        err,
                        Cli.at(t.cli().warehouse().toString(), arguments));
        return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    @Test
    void itSaysWhatWillGoAndAsks() {
        t.cli().run("fold", "t.x").succeeded();
        int before = objects("t").size();

        Ran asked = answered("t.y\n", "drop", "t.x");

        assertThat(asked.refused(2)).contains("Nothing was dropped: type t.x when you are asked");
        assertThat(asked.out())
                .matches(
                        "Drop t\\.x: 20 steps of 40 rows, \\d+ objects \\(\\d+ bytes\\),"
                                + " tables t\\.x_steps and t\\.x_events\\. Nothing brings it back\\."
                                + " Type t\\.x to go on: ");
        assertThat(objects("t")).hasSize(before);

        assertThat(answered("t.x\n", "drop", "t.x").succeeded().out().lines())
                .hasSize(2)
                .last()
                .isEqualTo("Dropped its view, tables t.x_steps and t.x_events");
        assertThat(objects("t/x")).hasSize(1);
        assertThat(t.cli().run("list").succeeded().out()).isEmpty();
    }

    @Test
    void whereNobodyAnswersNothingIsDropped() {
        int before = objects("t").size();

        for (String[] command : new String[][] {{"drop", "t.x"}, {"drop", "t.x", "--json"}}) {
            assertThat(t.cli().run(command).refused(2)).contains("give --yes where nobody is");
        }
        assertThat(objects("t")).hasSize(before);
    }

    @Test
    void dryRunTellsAndDeletesNothing() {
        int before = objects("t/x").size();

        assertThat(t.cli().run("drop", "t.x", "--dry-run").succeeded().out())
                .startsWith("Would drop t.x: 20 steps of 40 rows, " + before);
        assertThat(objects("t/x")).hasSize(before);
    }

    @Test
    void attachedJobsForbidIt() {
        t.ran("attach", "j");
        t.ran("attach", "k");

        assertThat(t.cli().run("drop", "t.x", "--yes").refused(2))
                .contains(
                        "Cannot drop t.x: 2 jobs are attached to it: j, k; end those that are over by 'batchweave detach'");
        t.ran("detach", "j");
        t.ran("detach", "k");
        t.cli().run("drop", "t.x", "--yes").succeeded();
    }

    @Test
    void viewMayStay() {
        t.cli().run("fold", "t.x").succeeded();

        t.cli().run("drop", "t.x", "--yes", "--keep-view").succeeded();

        assertThat(objects("t/x_steps")).isNotEmpty();
        assertThat(t.cli().run("drop", "t.x", "--yes").succeeded().out().lines())
                .containsExactly(
                        "Dropped t.x, 0 objects (0 bytes)",
                        "Dropped its view, tables t.x_steps and t.x_events");
        assertThat(objects("t/x_steps")).allMatch(key -> key.contains("/metadata/")).hasSize(1);
    }

    @Test
    void viewWhoseDropWasCutOffGoesToo() throws IOException {
        t.cli().run("fold", "t.x").succeeded();
        World world = World.real();
        try (ObjectStore store = Stores.open(t.cli().warehouse().toString(), world);
                ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, world)) {
            catalog.dropTable(TableIdentifier.of("t", "x_steps"), false);
        }
        assertThat(objects("t/x_steps/data")).isNotEmpty();

        t.cli().run("drop", "t.x", "--yes").succeeded();

        assertThat(objects("t/x_steps")).noneMatch(key -> key.contains("/data/"));
    }

    @Test
    void damagedViewGoesToo() {
        t.cli().run("fold", "t.x").succeeded();
        Objects objects = new Objects(t.cli().warehouse());
        objects.keys("t/x_steps/metadata").stream()
                .filter(key -> key.endsWith(".metadata.json"))
                .forEach(key -> objects.change(key, bytes -> "garbage".getBytes(UTF_8)));

        assertThat(t.cli().run("drop", "t.x", "--yes").succeeded().out())
                .endsWith("Dropped its view, tables t.x_steps and t.x_events\n");
        assertThat(objects("t/x")).hasSize(1);
    }

    @Test
    void warehouseThatWasMovedIsDroppedFrom() throws IOException {
        t.cli().run("fold", "t.x").succeeded();
        Path moved = Files.move(t.cli().warehouse(), folder.resolve("moved"));

        assertThat(new Cli(moved).run("drop", "t.x", "--yes").succeeded().out())
                .endsWith("Dropped its view, tables t.x_steps and t.x_events\n");
    }

    @Test
    void everyCommandSaysThatItIsGone() {
        JsonNode dropped = t.cli().run("drop", "t.x", "--yes", "--json").succeeded().json().get(0);

        assertThat(dropped.get("objects").asLong()).isGreaterThan(20);
        assertThat(dropped.get("tables")).isEmpty();
        String input = t.input().toString();
        for (String[] command :
                new String[][] {
                    {"status", "t.x"},
                    {"read", "t.x"},
                    {"steps", "t.x"},
                    {"sweep", "t.x"},
                    {"verify", "t.x"},
                    {"prove", "t.x", "--checkpoint", "c"},
                    {"log", "t.x"},
                    {"explain", "t.x", "--step", "3"},
                    {"attach", "t.x", "j"},
                    {"fold", "t.x"},
                    {"ingest", "t.x", input, "--producer", "p", "--rows-per-slice", "1"},
                    {"create", "t.x", "--grid", "dp=2", "--schema", "id:long!"}
                }) {
            assertThat(t.cli().run(command).refused(4)).contains("it was dropped at ");
        }
        assertThat(t.cli().run("drop", "t.x", "--dry-run").succeeded().out())
                .startsWith("Would drop t.x: what is left of it, since it was dropped at ")
                .endsWith(", 0 objects (0 bytes)\n");
    }

    @Test
    void producersThatItEndsAreNamed() {
        t.cli().create("t.y", "dp=1", "--producers", "q");

        assertThat(t.cli().run("drop", "t.y", "--dry-run").succeeded().out())
                .startsWith("Would drop t.y: 0 steps of 0 rows, ending producers q, 1 object (");
    }

    @Test
    void datasetThatCannotBeReadIsDroppedOnDemand() {
        new Objects(t.cli().warehouse()).delete("t/x/log/%020d/%020d".formatted(0, 0));

        assertThat(t.cli().run("drop", "t.x", "--yes").refused(5)).contains("give --unreadable");
        assertThat(t.cli().run("drop", "t.x", "--unreadable", "--dry-run").succeeded().out())
                .startsWith("Would drop t.x: nobody knows what, since its log cannot be read, ");
        t.cli().run("drop", "t.x", "--unreadable", "--yes").succeeded();
        assertThat(objects("t/x")).hasSize(1);
    }

    @Test
    void whatIsNotThereIsNotDropped() {
        assertThat(t.cli().run("drop", "t.y", "--yes").refused(2)).contains("there is none");
        assertThat(t.cli().run("drop", "t", "--yes").refused(2)).contains("Invalid dataset 't'");
    }
}
