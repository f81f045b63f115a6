package io.batchweave.catalog;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.io.TempDir;

/** Our catalog on a local disk, found by {@code catalog-impl} as engines find it. */
class LocalCatalogTest extends CommitContract {
    @TempDir private Path folder;

    @Override
    protected Catalog open() {
        return another();
    }

    @Override
    protected Catalog another() {
        return CatalogUtil.buildIcebergCatalog(
                "local",
                Map.of(
                        CatalogProperties.CATALOG_IMPL,
                        ObjectStoreCatalog.class.getName(),
                        CatalogProperties.WAREHOUSE_LOCATION,
                        folder.resolve("warehouse").toString()),
                null);
    }

    @Override
    protected Set<CatalogAbility> abilities() {
        return StoredCatalogContract.OURS;
    }

    @Override
    protected String registered(String metadata) {
        return Dropped.metadata(metadata);
    }
}
