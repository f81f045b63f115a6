package io.batchweave.catalog;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.io.TempDir;

/** Iceberg's own catalog in a database: what it fails is asked in vain. */
class JdbcCatalogTest extends CommitContract {
    @TempDir private Path folder;

    @Override
    protected Catalog open() {
        return another();
    }

    @Override
    protected Catalog another() {
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

    @Override
    protected Set<CatalogAbility> abilities() {
        return EnumSet.complementOf(
                EnumSet.of(
                        CatalogAbility.CHECKS_NAMES,
                        CatalogAbility.DEMANDS_NAMESPACES,
                        CatalogAbility.KEEPS_IDS));
    }
}
