package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is not given a step, as told beside what it was made of. */
class ExplainSkipsTest {
    @TempDir private Path folder;
    private Trained t;

    @BeforeEach
    void publish() throws IOException {
        t = Trained.of(folder, 10);
    }

    private String text(int step) {
        return t.cli().run("explain", "t.x", "--step", "" + step).succeeded().out();
    }

    private List<JsonNode> lines(int step, String... more) {
        String[] explain = {"explain", "t.x", "--step", "" + step, "--json"};
        return t.cli().run(Cli.joined(explain, more)).succeeded().json();
    }

    private void skip(String steps, String reason) {
        t.cli().run("skip", "t.x", "--steps", steps, "--reason", reason).succeeded();
    }

    @Test
    void stepThatNobodySkipsHasNoWordAboutIt() {
        t.ran("attach", "j");
        t.ran("session", "j", "--id", "s");

        assertThat(text(4)).hasLineCount(2).doesNotContain("skip", "job");
        assertThat(lines(4))
                .hasSize(2)
                .allSatisfy(
                        line -> {
                            assertThat(line.get("skips")).isEmpty();
                            assertThat(line.get("sessions")).isEmpty();
                        });
    }

    @Test
    void whatIsSkippedNowIsToldInTheWordsOfStatus() {
        skip("3..4", "a\nspike");
        JsonNode skip = t.cli().status("t.x").at("/skips/0");

        assertThat(lines(4)).allSatisfy(line -> assertThat(line.at("/skips/0")).isEqualTo(skip));
        String said = text(4).lines().findFirst().orElseThrow();
        assertThat(said)
                .startsWith("skip 3..4  since " + skip.get("since").asText() + "  a")
                .endsWith("spike");
        assertThat(t.cli().run("status", "t.x").succeeded().out()).contains(said);
        assertThat(lines(5)).allSatisfy(line -> assertThat(line.get("skips")).isEmpty());
    }

    @Test
    void sessionsThatPassOverItAreToldWhateverIsSkippedNow() {
        t.ran("attach", "j");
        t.ran("attach", "k");
        t.ran("attach", "later", "--at", "6");
        t.ran("session", "later", "--id", "l");
        t.ran("session", "k", "--id", "before");
        skip("3..4", "a spike");
        t.ran("session", "j", "--id", "s");
        t.cli().run("unskip", "t.x", "--steps", "3").succeeded();

        assertThat(text(3))
                .startsWith("job j  session s skips 3..4  since " + since("j") + "\nslice 0")
                .hasLineCount(3);
        assertThat(lines(3))
                .allSatisfy(
                        line -> {
                            assertThat(line.get("skips")).isEmpty();
                            assertThat(line.get("sessions").toString())
                                    .isEqualTo(
                                            "[{\"job\":\"j\",\"session\":\"s\",\"since\":\""
                                                    + since("j")
                                                    + "\"}]");
                        });
    }

    private String since(String job) {
        return t.job(job).at("/session/since").asText();
    }

    /** A later session starts behind the step, and the model has still not seen it. */
    @Test
    void whatTheModelHasNotSeenIsToldInTheNextSessionAndNotOnceTheJobIsDetached() {
        t.ran("attach", "j");
        skip("1", "a spike");
        t.ran("session", "j", "--id", "s");
        t.ran("checkpoint", "j", "--step", "5");
        t.ran("session", "j", "--id", "next");

        assertThat(lines(1).get(0).at("/sessions/0/session").asText()).isEqualTo("next");
        t.ran("detach", "j");
        assertThat(lines(1).get(0).get("sessions")).isEmpty();
    }

    @Test
    void rowsAreRowsAndNothingElse() {
        skip("3..4", "a spike");

        assertThat(t.cli().run("explain", "t.x", "--step", "4", "--rows").succeeded().out())
                .isEqualTo("{\"id\":8}\n{\"id\":9}\n");
        assertThat(lines(4, "--rows").get(0).has("skips")).isFalse();
    }
}
