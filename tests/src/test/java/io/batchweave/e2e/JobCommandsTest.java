package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a training job, as it is typed. */
class JobCommandsTest {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void publish() throws IOException {
        t = Trained.of(folder, 20);
    }

    @Test
    void jobAttachesOnceAndIsFound() {
        assertThat(t.ran("attach", "j").out())
                .isEqualTo("Attached job j to t.x at step 0; it keeps its newest 3 checkpoints\n");
        assertThat(t.ran("attach", "j").out())
                .startsWith("Job j is attached to t.x since ")
                .endsWith(", from step 0 on\n");
        assertThat(t.refused(2, "attach", "j", "--at", "3"))
                .contains("job j is attached since", "detach it before it attaches anew");
        assertThat(t.refused(2, "attach", "k", "--at", "21"))
                .contains("step 21 lies beyond what is published, which is 20 steps");
    }

    @Test
    void ranksReadASessionAndMakeACheckpoint() {
        t.ran("attach", "j", "--keep", "2");
        t.cli().run("skip", "t.x", "--steps", "2..3", "--reason", "a spike").succeeded();
        assertThat(t.ran("session", "j", "--id", "run-1").out())
                .isEqualTo(
                        "Session run-1 of job j of t.x starts at the attachment at step 0, and skips"
                                + " 2..3\n");

        List<JsonNode> lines = t.read("j", "run-1", "--steps", "4");
        assertThat(Trained.steps(lines)).containsExactly(0L, 1L, 4L, 5L);
        JsonNode last = lines.get(3);
        assertThat(last.get("cursor").asText())
                .endsWith(":6:" + last.get("receipt").asText() + ":j:run-1");

        JsonNode made =
                t.json("checkpoint", "j", "--cursor", last.get("cursor").asText(), "--id", "a");
        assertThat(made.get("next_step").asLong()).isEqualTo(6);
        assertThat(made.get("receipt")).isEqualTo(last.get("receipt"));
        assertThat(made.get("complete").asBoolean()).isTrue();
        assertThat(t.ran("checkpoint", "j", "--step", "8").out())
                .isEqualTo("Made checkpoint step-8 of job j of t.x at step 8\n");

        JsonNode job = t.job("j");
        assertThat(job.get("next_step").asLong()).isEqualTo(8);
        assertThat(job.get("lag_steps").asLong()).isEqualTo(12);
        assertThat(job.get("pinned_from").asLong()).isEqualTo(6);
        assertThat(job.get("pinned_steps").asLong()).isEqualTo(14);
        assertThat(job.get("pinned_bytes").asLong()).isPositive();
        assertThat(job.at("/session/session").asText()).isEqualTo("run-1");
        assertThat(t.cli().run("status", "t.x").succeeded().out())
                .contains(
                        "job j  at checkpoint step-8 at step 8  session run-1 skips 2..3  lag 12  pins"
                                + " 14 steps (",
                        "from step 6 on, since ",
                        "skip 2..3  since ",
                        "  a spike\n");
        assertThat(t.cli().run("log", "t.x").succeeded().out())
                .contains(
                        "attach job j at step 0, keeping 2 checkpoints: done",
                        "skip steps 2..3 (a spike): done",
                        "start session run-1 of job j: done",
                        "checkpoint a of job j at step 6: done");
    }

    @Test
    void rankThatResumesByItsCursorIsInItsSession() {
        t.ran("attach", "j");
        t.ran("session", "j", "--id", "s");
        JsonNode third = t.read("j", "s", "--steps", "3").get(2);

        List<JsonNode> rest =
                t.cli()
                        .run(
                                "read",
                                "t.x",
                                "--cursor",
                                third.get("cursor").asText(),
                                "--steps",
                                "2",
                                "--json")
                        .succeeded()
                        .json();

        assertThat(Trained.steps(rest)).containsExactly(3L, 4L);
        assertThat(rest.get(0).get("cursor").asText()).endsWith(":j:s");
    }

    @Test
    void olderCheckpointGivesTheSameAgainAndWithASkipExactlyTheSkippedStepsAreMissing() {
        t.ran("attach", "j");
        t.ran("session", "j", "--id", "s");
        List<JsonNode> first = t.read("j", "s", "--steps", "12");
        t.checkpoint("j", first.get(3), "a");
        t.checkpoint("j", first.get(9), "b");

        t.ran("session", "j", "--id", "back", "--at", "a");
        List<JsonNode> again = t.read("j", "back", "--steps", "8");
        assertThat(Trained.digests(again)).isEqualTo(Trained.digests(first.subList(4, 12)));

        assertThat(
                        t.cli()
                                .run("skip", "t.x", "--steps", "6..8", "--reason", "spike")
                                .succeeded()
                                .out())
                .isEqualTo("Skipping steps 6..8 of t.x in sessions that start from now on\n");
        t.ran("session", "j", "--id", "skipping", "--at", "a");
        List<JsonNode> skipping = t.read("j", "skipping", "--steps", "5");
        assertThat(Trained.steps(skipping)).containsExactly(4L, 5L, 9L, 10L, 11L);
        assertThat(Trained.digests(skipping.subList(2, 5)))
                .isEqualTo(Trained.digests(first.subList(9, 12)));
    }

    @Test
    void skipSaysWhatItDoesNotReach() {
        t.ran("attach", "j", "--keep", "2");
        t.ran("checkpoint", "j", "--step", "4", "--id", "a");
        t.ran("checkpoint", "j", "--step", "9", "--id", "b");

        assertThat(
                        t.cli()
                                .run("skip", "t.x", "--steps", "6..25", "--reason", "r")
                                .succeeded()
                                .out())
                .isEqualTo(
                        "Skipping steps 6..25 of t.x in sessions that start from now on; only 20 steps"
                                + " are published yet; job j is at checkpoint b at step 9: only a"
                                + " session at an older checkpoint skips them all\n");
        assertThat(t.cli().run("unskip", "t.x", "--steps", "6..20").succeeded().out())
                .isEqualTo(
                        "Skipping steps 6..20 of t.x no more, in sessions that start from now on\n");
        assertThat(t.cli().run("unskip", "t.x", "--steps", "6").succeeded().out())
                .isEqualTo("Steps 6 of t.x are not skipped\n");
        assertThat(t.cli().status("t.x").at("/skips/0/first").asLong()).isEqualTo(21);
    }

    @Test
    void ranksAcknowledgeAndTheLastOneMakesTheCheckpoint() {
        t.ran("attach", "j");
        t.ran("session", "j", "--id", "s");
        for (int rank = 1; rank < 4; rank++) {
            JsonNode said = t.json("checkpoint", "j", "--step", "7", "--rank", rank + "/4");
            assertThat(said.get("complete").asBoolean()).isFalse();
            assertThat(said.get("missing_ranks").asInt()).isEqualTo(4 - rank);
            assertThat(t.job("j").get("pinned_from").asLong()).isZero();
        }
        assertThat(t.refused(2, "checkpoint", "j", "--step", "7", "--rank", "0/2"))
                .contains("ranks disagree: this one says step 7 of 2 ranks");
    }

    @Test
    void settingsChange() {
        assertThat(t.cli().run("alter", "t.x", "max-lead=50", "keep-for=36h").succeeded().out())
                .isEqualTo("t.x has retention=checkpoints keep-steps=0 keep-for=36h max-lead=50\n");
        t.cli().run("alter", "t.x", "retention=forever").succeeded();
        assertThat(t.cli().status("t.x").get("settings").toString())
                .isEqualTo(
                        "{\"retention\":\"forever\",\"keep_steps\":0,\"keep_for_ms\":129600000,"
                                + "\"max_lead\":50}");
        t.cli().create("t.led", "dp=2", "--max-lead", "9");
        assertThat(t.cli().status("t.led").at("/settings/max_lead").asLong()).isEqualTo(9);
        assertThat(t.cli().status("t.led").get("version").asLong()).isZero();
    }

    @Test
    void releasedAndDetachedPinNothing() {
        t.ran("attach", "j");
        t.ran("checkpoint", "j", "--step", "3", "--id", "a");
        t.ran("checkpoint", "j", "--step", "5", "--id", "b");

        assertThat(t.ran("release", "j", "--id", "a").out())
                .isEqualTo("Released checkpoint a of job j of t.x; it keeps b\n");
        assertThat(t.ran("release", "j", "--id", "a").out())
                .isEqualTo("There is no checkpoint a of job j of t.x to release; it keeps b\n");
        assertThat(t.job("j").get("pinned_from").asLong()).isEqualTo(5);
        assertThat(t.ran("detach", "j").out()).isEqualTo("Detached job j of t.x\n");
        assertThat(t.ran("detach", "j").out()).isEqualTo("Detached job j of t.x\n");
        assertThat(t.cli().run("status", "t.x").succeeded().out()).contains("job j  detached");
    }
}
