package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.cli.Main;
import io.batchweave.e2e.PipedBatches.Requests;
import io.batchweave.longlife.FoldedView;
import io.batchweave.model.DatasetName;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.testing.Ports;
import io.batchweave.world.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that publish, and fold beside it. */
class FoldingProducersTest {
    @TempDir private Path folder;
    private Cli cli;
    private Corpus corpus;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=2,cp=2");
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.run("create", "t.piped", "--schema", PipedBatches.COLUMNS, "--grid", "dp=4")
                .succeeded();
    }

    private Ran publish(Requests requests, String... more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] command =
                Cli.at(cli.warehouse().toString(), "publish", "t.piped", "--producer", "p0");
        int code =
                Main.run(
                        new ByteArrayInputStream(PipedBatches.bytes(requests)),
                        out,
                        err,
                        Cli.joined(command, more));
        return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    private static void threeBatches(java.io.OutputStream out) throws IOException {
        for (int batch = 0; batch < 3; batch++) {
            PipedBatches.publish(out, batch);
        }
    }

    /**
     * Fails unless the view tells all steps, each once, and all events, though nobody else folds.
     */
    private void assertViewIsWhole(String dataset) throws IOException {
        World world = World.real();
        try (ObjectStore store = Stores.open(cli.warehouse().toString(), world);
                ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, world)) {
            FoldedView view = new FoldedView(catalog, DatasetName.parse(dataset));
            assertThat(view.steps(Expressions.alwaysTrue()))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, cli.steps(dataset)).boxed().toList());
        }
        JsonNode again = cli.run("fold", dataset, "--json").succeeded().json().get(0);
        assertThat(again.get("steps").asLong()).isZero();
        assertThat(again.get("events").asLong()).isZero();
    }

    @Test
    void anIngestFoldsAllThatItPublishes() throws IOException {
        Ran ran = cli.run(corpus.ingest("t.x", "p0", "--fold-every", "1", "--seal", "--json"));

        List<JsonNode> lines = ran.succeeded().json();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).get("sealed").asBoolean()).isTrue();
        assertThat(cli.steps("t.x")).isGreaterThan(2);
        assertViewIsWhole("t.x");
    }

    @Test
    void anIngestOfFewerCommitsFoldsInTheEnd() throws IOException {
        cli.run(corpus.ingest("t.x", "p0", "--fold-every", "1000000")).succeeded();
        assertViewIsWhole("t.x");
    }

    @Test
    void anIngestThatMayNotSealHasFoldedAllTheSame() throws IOException {
        cli.run(corpus.ingest("t.x", "p0")).succeeded();
        publishAsUnfinished();

        Ran ran = cli.run(corpus.ingest("t.x", "p1", "--fold-every", "3", "--seal"));

        assertThat(ran.refused(2)).contains("Cannot seal t.x");
        assertViewIsWhole("t.x");
    }

    /** A producer that is killed behind its first batches. */
    private void publishAsUnfinished() {
        Corpus broken = corpus.broken(folder.resolve("broken.jsonl"));
        cli.run(broken.ingest("t.x", "p2")).refused(2);
    }

    @Test
    void withoutTheOptionNothingIsFolded() {
        cli.run(corpus.ingest("t.x", "p0")).succeeded();
        cli.run(corpus.ingest("t.x", "p1", "--fold-every", "0")).succeeded();
        assertThat(cli.warehouse().resolve("t/x_steps")).doesNotExist();
    }

    @Test
    void aPipedProducerFoldsAllThatItPublishes() throws IOException {
        Ran plain = publish(FoldingProducersTest::threeBatches);
        Ran folding =
                publish(
                        out -> {
                            threeBatches(out);
                            PipedBatches.line(out, "{\"do\":\"seal\"}");
                        },
                        "--fold-every",
                        "1");

        assertThat(folding.succeeded().json()).hasSize(plain.succeeded().json().size() + 1);
        assertThat(cli.steps("t.piped")).isEqualTo(6);
        assertViewIsWhole("t.piped");
    }

    @Test
    void aCatalogThatIsAwayIsToldOfAndFailsNothing() throws IOException {
        String[] away = {"--fold-every", "1", "-P", "type=rest", "-P", "uri=" + nobody()};

        Ran ingest = cli.run(corpus.ingest("t.x", "p0", away));
        Ran publish = publish(FoldingProducersTest::threeBatches, away);

        for (Ran ran : List.of(ingest, publish)) {
            assertThat(ran.code()).isZero();
            List<String> told = ran.err().lines().toList();
            // All may be published before the first fold has failed.
            assertThat(told)
                    .hasSizeBetween(1, 2)
                    .allMatch(line -> line.startsWith("batchweave: The view lags, and "))
                    .allMatch(line -> line.contains("does not answer"));
            assertThat(told.get(told.size() - 1))
                    .contains("all is published: the last fold failed: ");
        }
        assertThat(ingest.out()).startsWith("Published ");
        assertThat(publish.json()).hasSize(4).allMatch(reply -> reply.has("ok"));
        cli.verifyIsClean("t.x");
        cli.run("fold", "t.x").succeeded();
        assertViewIsWhole("t.x");
    }

    @Test
    void producersThatFoldAtOnceFoldEachStepOnce() throws Exception {
        List<String> names = List.of("p0", "p1", "p2");
        ExecutorService threads = Executors.newFixedThreadPool(names.size());
        try {
            List<Future<Ran>> running = new ArrayList<>();
            for (String name : names) {
                String[] ingest = corpus.ingest("t.x", name, "--fold-every", "2");
                running.add(threads.submit(() -> cli.run(ingest)));
            }
            for (Future<Ran> each : running) {
                each.get().succeeded();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(cli.status("t.x").get("producers")).hasSize(3);
        cli.run("fold", "t.x").succeeded();
        assertViewIsWhole("t.x");
    }

    @Test
    void optionsThatMakeNoSenseAreRefusedBeforeAnythingIsPublished() {
        String[][] all = {
            {"--fold-every", "-1"},
            {"-P", "type=rest"},
            {"--fold-every", "1", "--properties-file", folder.resolve("none").toString()}
        };
        for (String[] options : all) {
            cli.run(corpus.ingest("t.x", "p0", options)).refused(2);
            Ran piped = publish(FoldingProducersTest::threeBatches, options);
            piped.refused(2);
            assertThat(piped.json().get(0).at("/error/kind").asText()).isEqualTo("invalid");
        }
        assertThat(cli.steps("t.x")).isZero();
        assertThat(cli.steps("t.piped")).isZero();
    }

    /** An address at which nobody listens. */
    private static String nobody() throws IOException {
        return "http://127.0.0.1:" + Ports.free();
    }
}
