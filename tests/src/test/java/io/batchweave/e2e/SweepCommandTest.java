package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeping, as it is typed. */
class SweepCommandTest {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void train() throws IOException {
        t = Trained.of(folder, 20);
    }

    private List<String> payload() {
        return new Objects(t.cli().warehouse()).keys("t/x/data");
    }

    @Test
    void withoutAJobNothingIsDeleted() {
        assertThat(t.cli().run("sweep", "t.x").succeeded().out())
                .isEqualTo("Nothing to sweep in t.x; the first step that is kept is 0\n");
    }

    @Test
    void whatNoCheckpointKeepsIsSaidAndThenDeleted() {
        t.ran("attach", "j", "--keep", "1");
        t.ran("session", "j", "--id", "s");
        t.ran("checkpoint", "j", "--step", "12", "--id", "a");
        int objects = payload().size();

        assertThat(t.cli().run("sweep", "t.x", "--dry-run").succeeded().out())
                .matches(
                        "Would sweep from t\\.x: payload of 12 steps \\(\\d+ bytes\\), 0 objects left"
                                + " behind \\(0 bytes\\), 0 commits \\(0 bytes\\); the first step"
                                + " that is kept is 12\n");
        assertThat(payload()).hasSize(objects);

        assertThat(t.cli().run("sweep", "t.x").succeeded().out())
                .startsWith("Swept from t.x: payload of 12 steps (");
        assertThat(payload()).hasSize(objects - 12);
        assertThat(t.cli().run("sweep", "t.x").succeeded().out())
                .isEqualTo("Nothing to sweep in t.x; the first step that is kept is 12\n");
        t.cli().run("verify", "t.x").succeeded();
        t.cli().run("prove", "t.x", "--checkpoint", "a").succeeded();
    }

    private List<String> left() {
        JsonNode report =
                t.cli().run("verify", "t.x", "--deep", "--json").succeeded().json().get(0);
        List<String> left = new ArrayList<>();
        report.get("left")
                .forEach(
                        each ->
                                left.add(
                                        each.get("purpose").asText()
                                                + " "
                                                + each.get("object").asText()));
        return left;
    }

    @Test
    void deepVerificationListsWhatNothingNeeds() throws IOException {
        t.ran("attach", "j", "--keep", "1");
        t.ran("session", "j", "--id", "s");
        t.ran("checkpoint", "j", "--step", "12", "--id", "a");
        assertThat(left()).isEmpty();

        String swept = payload().get(0);
        byte[] bytes = new Objects(t.cli().warehouse()).read(swept);
        t.cli().run("sweep", "t.x").succeeded();
        assertThat(left()).isEmpty();

        String orphan = swept.replaceAll("[0-9]+\\.arrow", "%020d.arrow".formatted(99));
        String pending = swept.replace("/data/p/", "/data/q/");
        for (String key : List.of(swept, orphan, pending, "t/x/notes")) {
            Files.createDirectories(t.cli().warehouse().resolve(key).getParent());
            Files.write(t.cli().warehouse().resolve(key), bytes);
        }
        assertThat(left())
                .containsExactlyInAnyOrder(
                        "pending " + swept,
                        "sweepable " + orphan,
                        "pending " + pending,
                        "unknown t/x/notes");
        assertThat(t.cli().run("verify", "t.x", "--deep").succeeded().out())
                .contains("pending: " + swept, "step 0 was swept");
    }
}
