package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.steps.Fold;
import io.batchweave.steps.Folded;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The view of a million steps: who asks for one reads little. {@code -Dsteps=N}: another number.
 */
class MillionRowsIT {
    private static final long STEPS = Long.getLong("steps", 1_000_000);
    private static final DatasetName NAME = DatasetName.parse("train.long");

    @Test
    void aQueryForOneStepReadsTwoFilesAtMost(@TempDir Path folder) {
        World world = World.real();
        try (ObjectStore store = Stores.make(folder.resolve("warehouse").toString(), world);
                ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, world)) {
            Synthesis.make(store, NAME, world.seeded(1), STEPS);
            Log log = Log.open(store, NAME, world, LogLimits.DEFAULT);

            Folded folded = Fold.of(log, catalog).run();

            FoldedView view = new FoldedView(catalog, NAME);
            List<FileScanTask> files = view.files(Expressions.alwaysTrue());
            System.out.println(folded + ", " + files.size() + " files");
            assertThat(folded.nextStep()).isEqualTo(STEPS);
            assertThat(files.stream().mapToLong(task -> task.file().recordCount()).sum())
                    .isEqualTo(STEPS);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 100; i++) {
                long step = random.nextLong(STEPS);
                assertThat(view.files(Expressions.equal("step", step))).hasSizeBetween(1, 2);
            }
            long any = STEPS / 2;
            assertThat(view.steps(Expressions.equal("step", any))).containsExactly(any);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
