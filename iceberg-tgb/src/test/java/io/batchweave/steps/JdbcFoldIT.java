package io.batchweave.steps;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fold into a catalog that a database keeps. */
class JdbcFoldIT {
    @TempDir private Path folder;

    private final FaultyCatalog plan = new FaultyCatalog();

    /** In a folder of its own. */
    private JdbcCatalog open(String name) {
        JdbcCatalog catalog = new Planned();
        catalog.setConf(new Configuration(false));
        catalog.initialize(
                "jdbc",
                Map.of(
                        CatalogProperties.URI,
                        "jdbc:h2:file:" + folder.resolve(name) + ";DATABASE_TO_UPPER=FALSE",
                        CatalogProperties.WAREHOUSE_LOCATION,
                        folder.resolve(name + "-files").toUri().toString(),
                        "jdbc.schema-version",
                        "V1"));
        return catalog;
    }

    @Test
    void everyRowIsThereOnce() {
        try (JdbcCatalog catalog = open("once")) {
            FoldStage stage = new FoldStage(catalog);
            Fold fold = stage.fold();
            Fold other = stage.fold();
            for (int i = 0; i < 5; i++) {
                stage.publish(2);
                fold.run();
                stage.publish(1);
                other.run();
            }
            stage.assertWhole();
            fold.rebuild();
            stage.assertWhole();
            fold.expire();
            stage.assertWhole();
        }
    }

    /** The same walk as in memory; there each commit of a fold, here the first ones. */
    @Test
    void everyRowIsThereOnceHoweverACommitComesOut() {
        int walks = 0;
        for (Outcome outcome : Outcome.all()) {
            for (int commit = 0; commit < 2; commit++) {
                try (JdbcCatalog catalog = open("walk-" + walks++)) {
                    FoldWalk.walk(catalog, outcome, commit, plan::always);
                    plan.always(() -> null);
                }
            }
        }
    }

    private final class Planned extends JdbcCatalog {
        @Override
        protected TableOperations newTableOps(TableIdentifier table) {
            return plan.planned(super.newTableOps(table));
        }
    }
}
