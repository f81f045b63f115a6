package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.store.Stores;
import io.batchweave.testing.Ports;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sweep does to the view, as it is typed. */
class SweptViewTest {
    @TempDir private Path folder;
    private Trained t;

    /** A sweep lets 12 of 20 steps go. */
    @BeforeEach
    void train() throws IOException {
        t = Trained.of(folder, 20);
        t.ran("attach", "j", "--keep", "2");
        t.ran("session", "j", "--id", "s");
        t.ran("checkpoint", "j", "--step", "9", "--id", "early");
    }

    /** Folds while there is one checkpoint, and again when there is another. */
    private void foldTwice() {
        t.cli().run("fold", "t.x").succeeded();
        t.ran("checkpoint", "j", "--step", "12", "--id", "late");
        ingestMore();
        t.cli().run("fold", "t.x").succeeded();
        t.ran("release", "j", "--id", "early");
    }

    private void ingestMore() {
        String input = t.input().toString();
        t.cli().run("ingest", "t.x", input, "--producer", "q", "--rows-per-slice", "2").succeeded();
    }

    private List<String> payload() {
        return new Objects(t.cli().warehouse()).keys("t/x/data");
    }

    private List<String> view() {
        List<String> keys = new ArrayList<>(new Objects(t.cli().warehouse()).keys("t/x_steps"));
        keys.addAll(new Objects(t.cli().warehouse()).keys("t/x_events"));
        return keys;
    }

    private Table table(String name) {
        World world = World.real();
        return new ObjectStoreCatalog(Stores.open(t.cli().warehouse().toString(), world), world)
                .loadTable(TableIdentifier.of("t", name));
    }

    private static Set<Long> snapshots(Table table) {
        return StreamSupport.stream(table.snapshots().spliterator(), false)
                .map(Snapshot::snapshotId)
                .collect(Collectors.toSet());
    }

    private static Set<Long> held(Table table) {
        return table.refs().values().stream()
                .map(SnapshotRef::snapshotId)
                .collect(Collectors.toSet());
    }

    @Test
    void theViewTellsWhatIsKeptAndLetsGoWhatNoTagHolds() {
        foldTwice();
        assertThat(table("x_steps").refs()).containsKey("checkpoint/j/early");

        String told = t.cli().run("sweep", "t.x").succeeded().out();

        assertThat(told)
                .matches(
                        "(?s)Swept from t\\.x: payload of 12 steps \\(.*; the first step that is kept"
                                + " is 12\nIts view has all steps before 30, with 1 checkpoint;"
                                + " expired [1-9] snapshots?\n");
        Table steps = table("x_steps");
        assertThat(steps.properties()).containsEntry("batchweave.first-live-step", "12");
        assertThat(steps.refs()).containsOnlyKeys("main", "checkpoint/j/late");
        for (Table table : List.of(steps, table("x_events"))) {
            assertThat(snapshots(table)).isEqualTo(held(table));
        }
        assertThat(t.cli().run("fold", "t.x", "--json").succeeded().json().get(0).get("events"))
                .hasToString("0");
    }

    @Test
    void whereNoViewWasMadeNoneIs() {
        t.ran("checkpoint", "j", "--step", "12", "--id", "late");
        assertThat(t.cli().run("sweep", "t.x").succeeded().out()).doesNotContain("view");
        assertThat(t.cli().warehouse().resolve("t/x_steps")).doesNotExist();
        assertThat(t.cli().warehouse().resolve("t/x_events")).doesNotExist();
    }

    @Test
    void whatIsOnlyPlannedChangesNoView() {
        foldTwice();
        List<String> before = view();

        assertThat(t.cli().run("sweep", "t.x", "--dry-run").succeeded().out())
                .startsWith("Would sweep from t.x: ")
                .doesNotContain("view");
        assertThat(view()).isEqualTo(before);
    }

    @Test
    void programsReadOneObject() {
        foldTwice();
        List<JsonNode> lines = t.cli().run("sweep", "t.x", "--json").succeeded().json();
        assertThat(lines).hasSize(1);
        List<String> names = new ArrayList<>();
        lines.get(0).fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "dataset",
                        "dry_run",
                        "low_step",
                        "steps",
                        "payload_objects",
                        "payload_bytes",
                        "steps_again",
                        "left_objects",
                        "left_bytes",
                        "commits",
                        "commit_bytes",
                        "commits_kept",
                        "view_folded",
                        "view_expired");
        assertThat(lines.get(0).get("view_folded").asBoolean()).isTrue();
        assertThat(lines.get(0).get("view_expired").asLong()).isPositive();
    }

    @Test
    void aCatalogThatIsAwayKeepsNothingFromBeingSwept() throws IOException {
        t.ran("checkpoint", "j", "--step", "12", "--id", "late");
        t.ran("release", "j", "--id", "early");
        int objects = payload().size();

        Ran ran = t.cli().run("sweep", "t.x", "-P", "type=rest", "-P", "uri=" + nobody());

        assertThat(ran.refused(3))
                .startsWith(
                        "batchweave: Cannot bring the view of t.x up to date, though the sweep is done: ")
                .contains("does not answer")
                .endsWith("'batchweave fold t.x --expire' does what is left");
        assertThat(ran.out()).startsWith("Swept from t.x: payload of 12 steps ");
        assertThat(payload()).hasSize(objects - 12);
    }

    @Test
    void aViewThatIsNotOursKeepsNothingFromBeingSwept() {
        foldTwice();
        table("x_steps").updateProperties().set("batchweave.dataset-id", "another").commit();
        int objects = payload().size();

        Ran ran = t.cli().run("sweep", "t.x", "--json");

        assertThat(ran.refused(2)).contains("it tells of another dataset", "fold --rebuild");
        assertThat(ran.json().get(0).get("steps").asLong()).isEqualTo(12);
        assertThat(ran.json().get(0).get("view_folded").asBoolean()).isFalse();
        assertThat(payload()).hasSize(objects - 12);
        t.cli().run("fold", "t.x", "--rebuild", "--expire").succeeded();
        t.cli().run("sweep", "t.x").succeeded();
    }

    @Test
    void aRequestThatMakesNoSenseDeletesNothing() {
        t.ran("checkpoint", "j", "--step", "12", "--id", "late");
        t.ran("release", "j", "--id", "early");
        int objects = payload().size();

        String none = folder.resolve("none.properties").toString();
        t.cli().run("sweep", "t.x", "--properties-file", none).refused(2);

        assertThat(payload()).hasSize(objects);
    }

    @Test
    void theViewMayLieInAnotherCatalog() {
        String other = folder.resolve("other").toUri().toString();
        String[] catalog = {"-P", "type=hadoop", "-P", "warehouse=" + other};
        t.cli().run(Cli.joined(new String[] {"fold", "t.x"}, catalog)).succeeded();
        t.ran("checkpoint", "j", "--step", "12", "--id", "late");

        assertThat(t.cli().run("sweep", "t.x").succeeded().out()).doesNotContain("view");
        assertThat(
                        t.cli()
                                .run(Cli.joined(new String[] {"sweep", "t.x"}, catalog))
                                .succeeded()
                                .out())
                .contains("\nIts view has all steps before 20, with 2 checkpoints; expired ");
        assertThat(Files.exists(t.cli().warehouse().resolve("t/x_steps"))).isFalse();
    }

    /** An address at which nobody listens. */
    private static String nobody() throws IOException {
        return "http://127.0.0.1:" + Ports.free();
    }
}
