package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that is broken or changes: what was published before stays, and a mended input goes on. */
class BadInputTest {
    private static final int LINES = 400;

    @TempDir private Path folder;
    private Corpus corpus;
    private Cli cli;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=2");
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), LINES);
    }

    private Ran ingest(String... more) {
        return cli.run(corpus.ingest("t.x", "p0", more));
    }

    @Test
    void aBrokenLineIsNamedAndOnceItIsMendedTheIngestGoesOn() throws IOException {
        List<String> lines = Files.readAllLines(corpus.file());
        String whole = lines.set(300, "{\"question\": \"Why");
        Files.write(corpus.file(), lines);

        assertThat(ingest().refused(2)).contains(corpus.file() + " line 301: it is broken JSON");
        long published = cli.steps("t.x");
        assertThat(published).isPositive();
        cli.verifyIsClean("t.x");

        lines.set(300, whole);
        Files.write(corpus.file(), lines);
        ingest("--seal").succeeded();
        assertWholeCorpusIsIn();
    }

    @Test
    void anInputThatChangedSinceTheLastCommitIsRefusedAndTheOldOneGoesOn() throws IOException {
        ingest().succeeded();
        long steps = cli.steps("t.x");
        String text = Files.readString(corpus.file());
        Files.writeString(corpus.file(), text.replaceFirst("How", "Who"));

        assertThat(ingest().refused(2))
                .contains("Cannot resume at corpus.jsonl (input 0), byte ")
                .contains("bytes have changed from digest");

        Files.writeString(corpus.file(), text.substring(0, text.length() / 2));
        assertThat(ingest().refused(2)).contains("it was read up to byte ", " and ends at byte ");

        assertThat(cli.steps("t.x")).isEqualTo(steps);
        Files.writeString(corpus.file(), text);
        ingest("--seal").succeeded();
        assertWholeCorpusIsIn();
    }

    @Test
    void anInputThatIsGoneIsRefused() throws IOException {
        ingest().succeeded();
        Files.delete(corpus.file());

        assertThat(ingest().refused(2)).contains("there is no such file or folder");
        cli.verifyIsClean("t.x");
    }

    @Test
    void ingestingAgainAfterTheEndDoesNothingAndSaysSo() {
        ingest("--seal").succeeded();
        long version = cli.status("t.x").get("version").asLong();

        assertThat(ingest("--seal").succeeded().out())
                .startsWith("Nothing to do: producer p0 has published all of it before");
        assertThat(ingest("--json").succeeded().json().get(0).get("batches").asLong()).isZero();
        assertThat(cli.status("t.x").get("version").asLong()).isEqualTo(version);
    }

    @Test
    void linesThatWereAppendedAreIngestedToo() throws IOException {
        ingest().succeeded();
        long steps = cli.steps("t.x");
        Corpus more = Corpus.generated(folder.resolve("more.jsonl"), LINES + 1);
        Files.write(corpus.file(), Files.readAllBytes(more.file()), StandardOpenOption.APPEND);

        ingest("--seal").succeeded();

        assertThat(cli.steps("t.x")).isGreaterThan(steps);
        assertWholeCorpusIsIn();
    }

    @Test
    void aSealedDatasetTakesNoAppendedLines() throws IOException {
        ingest("--seal").succeeded();
        Files.writeString(
                corpus.file(),
                "{\"question\": \"More?\", \"answer\": \"No.\"}\n",
                StandardOpenOption.APPEND);

        assertThat(ingest().refused(4)).contains("the dataset was sealed after");
        cli.verifyIsClean("t.x");
    }

    @Test
    void aDatasetOfAnotherSchemaTakesNoText() {
        String schema =
                "{\"type\":\"struct\",\"schema-id\":0,\"fields\":"
                        + "[{\"id\":1,\"name\":\"a\",\"required\":true,\"type\":\"int\"}]}";
        World world = World.real();
        CreateDataset entry =
                new CreateDataset(
                        world.newId(),
                        PayloadSchema.parse(schema).json(),
                        SliceGrid.parse("dp=2").axes(),
                        List.of(),
                        List.of());
        try (ObjectStore store = Stores.open(cli.warehouse().toString(), world)) {
            Log.create(store, new DatasetName("t", "ints"), entry, world, LogLimits.DEFAULT);
        }

        Ran ran = cli.run(corpus.ingest("t.ints", "p0"));

        assertThat(ran.refused(2))
                .contains("its schema is not that of token sequences; create a dataset with");
        cli.verifyIsClean("t.ints");
    }

    private void assertWholeCorpusIsIn() {
        assertThat(cli.status("t.x").at("/counts/tokens").asLong()).isEqualTo(corpus.tokens());
        assertThat(cli.status("t.x").at("/counts/documents").asLong())
                .isEqualTo(corpus.documents());
        cli.verifyIsClean("t.x");
    }
}
