package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a model was trained on, proved from the log. */
@Tag("JOB-1")
class ProveTest {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void train() throws IOException {
        t = Trained.of(folder, 10);
        t.ran("attach", "j", "--at", "1", "--keep", "1");
        t.cli().run("skip", "t.x", "--steps", "3..4", "--reason", "a spike").succeeded();
        t.ran("session", "j", "--id", "s");
        t.checkpoint("j", t.read("j", "s", "--steps", "6").get(5), "c");
        t.cli().run("unskip", "t.x", "--steps", "3..4").succeeded();
    }

    private Ran prove(String... more) {
        return t.cli().run(Cli.joined(new String[] {"prove", "t.x", "--checkpoint", "c"}, more));
    }

    private static JsonNode last(List<JsonNode> lines) {
        return lines.get(lines.size() - 1);
    }

    /** The payload of a step, as the log names it. */
    private Path payload(int step) {
        String key = "t/x/data/p/%020d/%020d/%020d.arrow".formatted(1, 0, step);
        return t.cli().warehouse().resolve(key);
    }

    @Test
    void stepsDigestsSourcesAndSkipsAreToldAndTheChainHolds() {
        List<JsonNode> lines = prove("--json").succeeded().json();

        List<JsonNode> steps = lines.subList(0, lines.size() - 1);
        assertThat(Trained.steps(steps)).containsExactly(1L, 2L, 5L, 6L, 7L, 8L);
        assertThat(steps)
                .allSatisfy(
                        step -> {
                            assertThat(step.get("payload").asText()).isEqualTo("same");
                            assertThat(step.get("digests")).hasSize(1);
                            assertThat(step.at("/sources/0/input").asText()).endsWith("ids.jsonl");
                        });
        assertThat(steps.get(2).at("/sources/0/rows/0/first").asLong()).isEqualTo(10);
        JsonNode proof = last(lines);
        assertThat(proof.get("holds").asBoolean()).isTrue();
        assertThat(proof.get("steps").asLong()).isEqualTo(6);
        assertThat(proof.get("skips").toString())
                .isEqualTo("[{\"first\":3,\"last\":4,\"reason\":\"a spike\"}]");
        assertThat(proof.get("receipt")).isEqualTo(t.job("j").at("/checkpoints/0/receipt"));
        assertThat(prove().succeeded().out())
                .contains(
                        "\nskipped 3..4  a spike\ncheckpoint c of job j: 6 steps, from 1 to below 9")
                .endsWith("; the chain holds, and all payload is as published\n");
    }

    @Test
    void changedByteNamesItsStep() throws IOException {
        Path payload = payload(5);
        byte[] bytes = Files.readAllBytes(payload);
        bytes[bytes.length / 2] ^= 1;
        Files.write(payload, bytes);

        Ran ran = prove();

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("\nwrong: step 5: Cannot ").endsWith("; 1 thing is wrong\n");
        assertThat(prove("--log-only").succeeded().out())
                .endsWith("; the chain holds; payload was not read\n");
    }

    /** Nobody who reads slices alone would see it; who opens the file finds no footer. */
    @Test
    void bytesBehindTheEndNameTheirStep() throws IOException {
        Files.write(payload(5), new byte[1], StandardOpenOption.APPEND);

        assertOneStepIsWrong(5, "it goes on behind ");
    }

    @Test
    void payloadThatWasCutShortNamesItsStep() throws IOException {
        byte[] bytes = Files.readAllBytes(payload(5));
        for (int left : List.of(bytes.length - 1, bytes.length / 2, 1, 0)) {
            Files.write(payload(5), Arrays.copyOf(bytes, left));

            assertOneStepIsWrong(5, "it has only " + left + " bytes");
        }
    }

    private void assertOneStepIsWrong(int step, String why) {
        Ran ran = prove();

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .containsOnlyOnce("wrong: ")
                .contains("\nwrong: step " + step + ": Cannot ", why)
                .endsWith("; 1 thing is wrong\n");
    }

    @Test
    void changedByteOfAStepThatTheModelDidNotSeeIsNoMatter() throws IOException {
        for (int unseen : List.of(0, 3, 9)) {
            Files.write(payload(unseen), new byte[1]);
        }
        assertThat(prove().succeeded().out()).contains("the chain holds");
    }

    @Test
    void proofStandsWhenThePayloadIsGone() throws IOException {
        Files.delete(payload(2));
        Files.delete(payload(1));

        assertThat(prove().succeeded().out())
                .endsWith(
                        "; the chain holds; payload of 2 steps is gone, all other is as published\n");
        JsonNode proof = last(prove("--json").succeeded().json());
        assertThat(proof.get("payload_gone").asLong()).isEqualTo(2);
    }

    @Test
    void checkpointThatIsNotKeptAnyMoreIsProved() {
        t.ran("checkpoint", "j", "--step", "10", "--id", "d");
        t.ran("detach", "j");

        assertThat(last(prove("--json", "--job", "j").succeeded().json()).get("next_step").asLong())
                .isEqualTo(9);
    }

    @Test
    void checkpointOfTwoJobsNeedsTheJob() {
        t.ran("attach", "k");
        t.ran("checkpoint", "k", "--step", "2", "--id", "c");

        assertThat(prove().refused(2)).contains("the jobs j, k made one of that name; name one");
        assertThat(last(prove("--json", "--job", "k").succeeded().json()).get("next_step").asLong())
                .isEqualTo(2);
    }
}
