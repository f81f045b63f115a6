package io.batchweave.steps;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fold into a catalog that a database keeps. */
class JdbcFoldTest {
    @TempDir private Path folder;

    private JdbcCatalog open() {
        JdbcCatalog catalog = new JdbcCatalog();
        catalog.setConf(new Configuration(false));
        catalog.initialize(
                "jdbc",
                Map.of(
                        CatalogProperties.URI,
                        "jdbc:h2:file:" + folder.resolve("catalog") + ";DATABASE_TO_UPPER=FALSE",
                        CatalogProperties.WAREHOUSE_LOCATION,
                        folder.resolve("warehouse").toUri().toString(),
                        "jdbc.schema-version",
                        "V1"));
        return catalog;
    }

    @Test
    void everyRowIsThereOnce() {
        try (JdbcCatalog catalog = open()) {
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
}
