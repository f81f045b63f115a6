package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.state.State;
import io.batchweave.store.local.LocalStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each command makes of steps whose payload is swept. */
@Tag("SWEEP-1")
class SweptTest {
    private static final int STEPS = 10;

    @TempDir private Path folder;
    private Trained t;

    /** Steps 0 to 5 are swept; payload of step 5 is still there. */
    @BeforeEach
    void trainAndSweep() throws IOException {
        t = Trained.of(folder, STEPS);
        t.ran("attach", "j", "--keep", "1");
        t.ran("session", "j", "--id", "s");
        List<JsonNode> lines = t.read("j", "s", "--steps", "6");
        t.checkpoint("j", lines.get(3), "early");
        t.checkpoint("j", lines.get(5), "c");
        append(new Sweep(4, 0));
        append(new Sweep(6, 4));
        for (int step = 0; step < 5; step++) {
            Files.delete(payload(step));
        }
    }

    private void append(Sweep sweep) {
        State unused = log().append(List.of(sweep));
    }

    private Log log() {
        World world = World.real();
        return Log.open(
                new LocalStore(t.cli().warehouse(), world),
                DatasetName.parse("t.x"),
                world,
                LogLimits.DEFAULT);
    }

    private Path payload(int step) {
        String key = "t/x/data/p/%020d/%020d/%020d.arrow".formatted(1, 0, step);
        return t.cli().warehouse().resolve(key);
    }

    private Ran ran(String... command) {
        return t.cli().run(command).succeeded();
    }

    @Test
    void statusTellsWhatIsKept() {
        JsonNode status = t.cli().status("t.x");
        assertThat(status.get("low_step").asLong()).isEqualTo(6);
        assertThat(status.get("swept_step").asLong()).isEqualTo(4);
        long bytes = status.get("swept_bytes").asLong();
        assertThat(bytes).isPositive().isLessThan(status.get("bytes").asLong());

        assertThat(ran("status", "t.x").out())
                .contains(
                        "\n  swept      6 steps ("
                                + bytes
                                + " bytes); the first that is kept is 6\n");
    }

    @Test
    void stepsAreMarked() {
        List<String> lines = ran("steps", "t.x").out().lines().toList();
        assertThat(lines).hasSize(STEPS);
        assertThat(lines.subList(0, 6)).allMatch(line -> line.endsWith("  swept"));
        assertThat(lines.subList(6, STEPS)).noneMatch(line -> line.endsWith("swept"));
        assertThat(ran("steps", "t.x", "--json").json())
                .allMatch(step -> step.get("swept").asBoolean() == step.get("step").asLong() < 6);
    }

    @Test
    void rowsOfASweptStepAreExplainedAndReadFromTheirInputs() {
        assertThat(ran("explain", "t.x", "--step", "2").out())
                .startsWith("step 2 is swept: its payload is not kept\n")
                .contains("ids.jsonl");
        assertThat(ran("explain", "t.x", "--step", "2", "--rows").out())
                .endsWith("{\"id\":4}\n{\"id\":5}\n");
        assertThat(ran("explain", "t.x", "--step", "2", "--json").json())
                .allMatch(line -> line.get("swept").asBoolean());
        assertThat(ran("explain", "t.x", "--step", "6", "--json").json())
                .noneMatch(line -> line.get("swept").asBoolean());
    }

    @Test
    void whatAModelWasTrainedOnIsProvedThoughItIsSwept() {
        assertThat(ran("prove", "t.x", "--checkpoint", "c").out())
                .contains("step 0  producer p epoch 1 sequence 0  sha256 ")
                .contains("  payload swept")
                .endsWith(
                        "; the chain holds; payload of 5 steps is swept, all other is as"
                                + " published\n");
        List<JsonNode> lines = ran("prove", "t.x", "--checkpoint", "c", "--json").json();
        JsonNode proof = lines.get(lines.size() - 1);
        assertThat(proof.get("holds").asBoolean()).isTrue();
        assertThat(proof.get("payload_swept").asLong()).isEqualTo(5);
        assertThat(proof.get("payload_gone").asLong()).isZero();
        assertThat(proof.get("payload_same").asLong()).isEqualTo(1);
    }

    @Test
    void verifyDemandsPayloadFromTheLowStepOn() throws IOException {
        JsonNode report = t.cli().verifyIsClean("t.x");
        assertThat(report.get("steps").asLong()).isEqualTo(STEPS);
        assertThat(report.get("swept_steps").asLong()).isEqualTo(6);
        assertThat(report.get("slices").asLong()).isEqualTo(2 * (STEPS - 6));
        assertThat(report.get("orphans").asLong()).isZero();
        assertThat(ran("verify", "t.x").out())
                .contains(", 10 steps (6 swept), 8 slices, ")
                .endsWith("; nothing is wrong\n");

        Files.delete(payload(6));
        assertThat(t.cli().run("verify", "t.x").code()).isEqualTo(1);
    }

    @Test
    void verifyNamesALostCommitAndNoSweptStep() throws IOException {
        Log log = log();
        for (int commits = 0; commits < 16; commits++) {
            State unused = log.append(List.of(new OpenProducer("q", log.world().newId())));
        }
        log.saveIfDue();
        Path lost = t.cli().warehouse().resolve("t/x/log/%020d/%020d".formatted(0, 4));
        Files.delete(lost);

        Ran ran = t.cli().run("verify", "t.x");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out().lines().filter(line -> line.startsWith("wrong: ")))
                .singleElement()
                .asString()
                .contains(lost.getFileName().toString());
    }

    @Test
    void whatAnEarlierSweepHasLeftIsTold() {
        assertThat(ran("sweep", "t.x").out())
                .startsWith(
                        "Swept from t.x: payload of 0 steps (0 bytes), what an earlier sweep has left of"
                                + " 2 steps, ")
                .endsWith("; the first step that is kept is 6\n");
        assertThat(Files.exists(payload(5))).isFalse();
    }

    @Test
    void logPrintsSweeps() {
        assertThat(ran("log", "t.x").out())
                .contains("\n  sweep payload below step 4; below step 0 it is gone: done\n")
                .contains("\n  sweep payload below step 6; below step 4 it is gone: done\n");
    }

    @Test
    @Tag("APPLY-10")
    void jobAttachesAtTheFirstStepThatIsKeptAndNotBefore() {
        for (String at : List.of("0", "5")) {
            assertThat(t.refused(2, "attach", "k", "--at", at))
                    .contains(
                            "the payload of step "
                                    + at
                                    + " is swept; the first step that is kept is 6; attach there,"
                                    + " or later");
        }
        t.ran("attach", "k", "--at", "6");
    }

    @Test
    @Tag("READ-6")
    void readingBelowTheLowStepHasAnExitCodeOfItsOwn() {
        String cursor =
                t.cli().run("prove", "t.x", "--checkpoint", "c", "--json").json().stream()
                        .filter(line -> line.path("step").asLong(-1) == 3)
                        .map(
                                line ->
                                        t.cli().status("t.x").get("id").asText()
                                                + ":4:"
                                                + line.get("chain").asText())
                        .findFirst()
                        .orElseThrow();

        assertThat(t.cli().run("read", "t.x").refused(8))
                .isEqualTo(
                        "batchweave: Cannot read step 0 of t.x: its payload is swept; the first step"
                                + " that is kept is 6; start there, or at a checkpoint that a job"
                                + " keeps");
        assertThat(t.cli().run("read", "t.x", "--cursor", cursor).refused(8))
                .contains("Cannot read step 4 of t.x: its payload is swept;");
        assertThat(ran("read", "t.x", "--from", "6", "--steps", "4", "--json").json()).hasSize(4);
    }
}
