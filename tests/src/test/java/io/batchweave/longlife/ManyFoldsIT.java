package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.steps.Fold;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.util.List;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;

/** Folds that never end, of a step each: the view stays small. {@code -Dfolds=N}: as many. */
class ManyFoldsIT {
    private static final int FOLDS = Integer.getInteger("folds", 500);
    private static final DatasetName NAME = DatasetName.parse("train.many");
    private static final long MIB = 1 << 20;

    @Test
    void metadataStaysBelowOneMiBAndFilesStayFew() {
        World world = World.real().seeded(1);
        ObjectStore store = new MemoryStore(world);
        Log log = Log.create(store, NAME, Numbers.dataset("dp=2"), world, LogLimits.DEFAULT);
        long epoch = log.append(List.of(new OpenProducer("p", world.newId()))).version();
        ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, world);
        Fold fold = Fold.of(log, catalog);
        FoldedView view = new FoldedView(catalog, NAME);
        long most = 0;
        for (int i = 0; i < FOLDS; i++) {
            log.append(List.of(Entries.publish(new Claim("p", epoch, i))));
            fold.run();
            if (i % 50 == 0 || i == FOLDS - 1) {
                most = Math.max(most, metadataBytes(view.steps()));
            }
        }
        System.out.println(FOLDS + " folds: at most " + most + " bytes of metadata.json");
        assertThat(most).isLessThanOrEqualTo(MIB);
        assertThat(view.files(Expressions.alwaysTrue())).hasSizeLessThanOrEqualTo(5 * 7);
        assertThat(view.steps(Expressions.alwaysTrue())).doesNotHaveDuplicates().hasSize(FOLDS);
    }

    private static long metadataBytes(Table table) {
        String location =
                ((HasTableOperations) table).operations().current().metadataFileLocation();
        return table.io().newInputFile(location).getLength();
    }
}
