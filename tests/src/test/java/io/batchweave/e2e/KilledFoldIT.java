package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.e2e.HaltingStore.Moment;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.longlife.FoldedView;
import io.batchweave.model.DatasetName;
import io.batchweave.steps.Fold;
import io.batchweave.steps.FoldLimits;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fold that is killed, or whose server of tables is, has lost nothing and added nothing twice.
 */
class KilledFoldIT {
    private static final DatasetName NAME = DatasetName.parse("t.x");

    /** Nobody starts the server again while it waits. */
    private static final FoldLimits IMPATIENT =
            new FoldLimits(
                    Duration.ofSeconds(1), Duration.ofMillis(50), 64, 1 << 20, 2, 1 << 20, 8, 8);

    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void publish() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create(NAME.toString(), "dp=2,cp=2");
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.run(corpus.ingest(NAME.toString(), "p0")).succeeded();
    }

    private String halting(int change) {
        return HaltingStore.uri(cli.warehouse(), Moment.BEFORE_CHANGE, change);
    }

    /** By the next fold, which knows nothing of what was there. */
    private void assertFoldEndsIt() throws IOException {
        cli.run("fold", NAME.toString()).succeeded();
        try (ObjectStore store = Stores.open(cli.warehouse().toString(), World.real());
                ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, World.real())) {
            assertThat(new FoldedView(catalog, NAME).steps(Expressions.alwaysTrue()))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, cli.steps(NAME.toString())).boxed().toList());
        }
        cli.verifyIsClean(NAME.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aFoldIsEndedByTheNext(int change) throws Exception {
        String[] fold = Cli.at(halting(change), "fold", NAME.toString());
        try (CliProcess process = CliProcess.start(folder, fold)) {
            assertThat(process.end().code()).isEqualTo(HaltingStore.EXIT_CODE);
        }
        assertFoldEndsIt();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aFoldThroughAServerThatIsKilledIsEndedByTheNext(int change) throws Exception {
        String[] serve = Cli.at(halting(change), "serve", "--port", "0");
        try (CliProcess server = CliProcess.start(folder, serve);
                RESTCatalog client = new RESTCatalog();
                ObjectStore store = Stores.open(cli.warehouse().toString(), World.real())) {
            client.initialize(
                    "served",
                    Map.of(
                            CatalogProperties.URI,
                            SparkIT.uri(server),
                            CatalogProperties.FILE_IO_IMPL,
                            "io.batchweave.catalog.files.ObjectStoreFileIO",
                            CatalogProperties.WAREHOUSE_LOCATION,
                            cli.warehouse().toString()));
            Log log = Log.open(store, NAME, World.real(), LogLimits.DEFAULT);

            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> Fold.of(log, client, IMPATIENT).run())
                    .withMessageContaining("nothing of the dataset is lost");
            assertThat(server.end().code()).isEqualTo(HaltingStore.EXIT_CODE);
        }
        assertFoldEndsIt();
    }
}
