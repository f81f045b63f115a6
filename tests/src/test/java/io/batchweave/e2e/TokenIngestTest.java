package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text in, slices out. */
class TokenIngestTest {
    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.gsm", "dp=8");
    }

    @Test
    void realTextGivesTheTokensThatTheTokenizerCounts() {
        assertTokensAreThoseOf(Corpus.real());
    }

    @Test
    void generatedTextGivesTheTokensThatTheTokenizerCounts() {
        assertTokensAreThoseOf(Corpus.generated(folder.resolve("corpus.jsonl"), 300));
    }

    private void assertTokensAreThoseOf(Corpus corpus) {
        JsonNode ingested =
                cli.run(corpus.ingest("t.gsm", "p0", "--seal", "--json")).succeeded().json().get(0);
        JsonNode status = cli.status("t.gsm");

        assertThat(status.at("/counts/tokens").asLong())
                .isEqualTo(corpus.tokens())
                .isEqualTo(ingested.get("tokens").asLong());
        assertThat(status.at("/counts/documents").asLong()).isEqualTo(corpus.documents());
        long tokensOfAStep = 8 * 512;
        assertThat(status.get("steps").asLong())
                .isEqualTo((corpus.tokens() + tokensOfAStep - 1) / tokensOfAStep);
        assertThat(status.get("phase").asText()).isEqualTo("sealed");
    }

    @Test
    @Tag("READ-1")
    @Tag("READ-3")
    void everyWorldSizeGetsTheSameSlicesOfTheSameSteps() {
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 300);
        cli.run(corpus.ingest("t.gsm", "p0", "--seal")).succeeded();
        Map<Long, Map<Integer, String>> whole = cli.digests("t.gsm");

        assertThat(whole).hasSize((int) cli.steps("t.gsm"));
        assertThat(whole.values()).allSatisfy(slices -> assertThat(slices).hasSize(8));
        for (int world : new int[] {1, 2, 4, 8}) {
            assertThat(ofAllRanks(world)).as("dp=%d", world).isEqualTo(whole);
        }
    }

    private Map<Long, Map<Integer, String>> ofAllRanks(int world) {
        Map<Long, Map<Integer, String>> all = new TreeMap<>();
        for (int rank = 0; rank < world; rank++) {
            cli.digests("t.gsm", "--mesh", "dp=" + rank + "/" + world)
                    .forEach(
                            (step, slices) -> {
                                assertThat(slices).hasSize(8 / world);
                                all.computeIfAbsent(step, s -> new TreeMap<>()).putAll(slices);
                            });
        }
        return all;
    }

    @Test
    @Tag("READ-4")
    void aCursorOfOneRankResumesAnyRankOfAnyWorldSize() {
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 300);
        cli.run(corpus.ingest("t.gsm", "p0", "--seal")).succeeded();
        Map<Long, Map<Integer, String>> whole = cli.digests("t.gsm");
        Ran begun = cli.run("read", "t.gsm", "--mesh", "dp=5/8", "--steps", "2", "--json");
        String cursor = begun.succeeded().json().get(1).get("cursor").asText();

        Map<Long, Map<Integer, String>> rest = cli.digests("t.gsm", "--cursor", cursor);
        Map<Long, Map<Integer, String>> restOfHalf =
                cli.digests("t.gsm", "--cursor", cursor, "--mesh", "dp=1/2");

        whole.keySet().removeIf(step -> step < 2);
        assertThat(rest).isEqualTo(whole);
        assertThat(restOfHalf.keySet()).isEqualTo(whole.keySet());
        assertThat(restOfHalf.get(2L).keySet()).containsExactly(4, 5, 6, 7);
    }
}
