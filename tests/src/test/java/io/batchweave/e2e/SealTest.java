package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a dataset comes to its end, the same for every rank. */
class SealTest {
    @TempDir private Path folder;
    private Corpus corpus;
    private Cli cli;

    @BeforeEach
    void prepare() {
        cli = new Cli(folder.resolve("warehouse"));
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 100);
    }

    private Ran ingest(String producer, String... more) {
        return cli.run(corpus.ingest("t.x", producer, more));
    }

    @Test
    void sealingEndsADatasetForReadersAndProducers() {
        cli.create("t.x", "dp=2");
        ingest("a").succeeded();
        long steps = cli.steps("t.x");

        assertThat(cli.run("seal", "t.x").succeeded().out())
                .isEqualTo("Sealed t.x after %d steps\n", steps);

        assertThat(cli.digests("t.x")).hasSize((int) steps);
        assertThat(ingest("b").refused(4)).contains("the dataset was sealed after " + steps);
        assertThat(cli.run("seal", "t.x", "--json").succeeded().json().get(0).get("steps").asLong())
                .isEqualTo(steps);
        cli.verifyIsClean("t.x");
    }

    @Test
    @Tag("APPLY-8")
    void anIngestDoesNotSealWhileAnotherProducerIsUnfinished() {
        cli.create("t.x", "dp=2");
        leaveUnfinished("b");

        Ran refused = ingest("a", "--seal");

        assertThat(refused.refused(2)).contains("Cannot seal t.x: not finished: producer b;");
        assertThat(refused.out()).startsWith("Published ").doesNotContain("sealed");
        assertThat(cli.status("t.x").get("phase").asText()).isEqualTo("open");

        ingest("b").succeeded();
        assertThat(ingest("a", "--seal").succeeded().out())
                .isEqualTo(
                        "Nothing to do: producer a has published all of it before;"
                                + " the dataset is sealed\n");
        cli.verifyIsClean("t.x");
    }

    @Test
    @Tag("APPLY-7")
    void theLastOfTheDeclaredProducersToFinishSeals() {
        cli.create("t.x", "dp=2", "--producers", "a,b");

        ingest("b").succeeded();
        assertThat(cli.status("t.x").get("phase").asText()).isEqualTo("open");
        assertThat(ingest("a", "--json").succeeded().json().get(0).get("sealed").asBoolean())
                .isTrue();

        assertThat(cli.status("t.x").get("phase").asText()).isEqualTo("sealed");
        cli.verifyIsClean("t.x");
    }

    @Test
    @Tag("APPLY-3")
    void anUndeclaredProducerIsRefused() {
        cli.create("t.x", "dp=2", "--producers", "a,b");

        assertThat(ingest("c").refused(2))
                .contains("as producer c: it declares the producers a, b; be one of them");
        assertThat(cli.status("t.x").get("version").asLong()).isZero();
    }

    /** Opens a producer whose input breaks off. */
    private void leaveUnfinished(String producer) {
        Corpus broken = corpus.broken(folder.resolve("broken/corpus.jsonl"));
        cli.run(broken.ingest("t.x", producer)).refused(2);
    }
}
