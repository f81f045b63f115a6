package io.batchweave.steps;

import io.batchweave.model.JobEntries;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;

/** What others do between any look of a fold and the commit behind it. */
class WhileFoldingIT {
    private static final int COMMITS = 6;

    /** Before each commit of a fold in turn, others do something. */
    private static void assertWholeAlthough(Consumer<FoldStage> meanwhile) {
        for (int commit = 0; commit < COMMITS; commit++) {
            FaultyCatalog catalog = new FaultyCatalog();
            FoldStage stage = new FoldStage(catalog);
            stage.append(JobEntries.attach());
            Fold fold = stage.fold(FoldFaultIT.limits(2));
            for (int i = 0; i < 2; i++) {
                stage.publish(2);
                fold.run();
            }
            stage.publish(1);
            stage.append(JobEntries.checkpoint("", 3));
            AtomicInteger left = new AtomicInteger(commit);
            catalog.always(
                    () -> {
                        if (left.getAndDecrement() == 0) {
                            meanwhile.accept(stage);
                        }
                        return null;
                    });
            fold.run();
            fold.run();
            stage.assertWhole();
        }
    }

    @Test
    void anotherFolds() {
        assertWholeAlthough(stage -> stage.fold(FoldFaultIT.limits(2)).run());
    }

    @Test
    void anotherFoldsMore() {
        assertWholeAlthough(
                stage -> {
                    stage.publish(2);
                    stage.append(JobEntries.checkpoint("", 4));
                    stage.fold(FoldFaultIT.limits(3)).run();
                });
    }

    @Test
    void anotherExpiresSnapshots() {
        assertWholeAlthough(stage -> stage.fold().expire());
    }

    @Test
    void anotherMakesTheViewAnew() {
        assertWholeAlthough(stage -> stage.fold().rebuild());
    }

    @Test
    void aTableIsDropped() {
        assertWholeAlthough(
                stage -> stage.catalog.dropTable(ViewTable.STEPS.identifier(FoldStage.NAME), true));
    }

    @Test
    void aTableIsRolledBack() {
        assertWholeAlthough(
                stage -> {
                    Table table = stage.table(ViewTable.STEPS);
                    table.manageSnapshots()
                            .rollbackTo(table.history().get(0).snapshotId())
                            .commit();
                });
    }
}
