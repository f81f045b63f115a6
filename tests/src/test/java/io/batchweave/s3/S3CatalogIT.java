package io.batchweave.s3;

import io.batchweave.catalog.CatalogAbility;
import io.batchweave.catalog.CommitContract;
import io.batchweave.catalog.Dropped;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Our catalog on S3Proxy: also eight committers who race, and lose no commit. */
class S3CatalogIT extends CommitContract {
    private static final World WORLD = World.real();

    @TempDir private static Path folder;
    private static S3Proxy server;

    private ObjectStore store;

    @BeforeAll
    static void start() {
        server = S3Proxy.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ObjectStore store() {
        if (store == null) {
            String uri = "s3://" + S3Proxy.BUCKET + "/catalog-" + WORLD.newId();
            store = server.access().open(uri, WORLD, S3ContractIT.SMALL_PARTS);
        }
        return store;
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @Override
    protected Catalog open() {
        return another();
    }

    @Override
    protected Catalog another() {
        return new ObjectStoreCatalog(store(), WORLD);
    }

    @Override
    protected Set<CatalogAbility> abilities() {
        return EnumSet.complementOf(
                EnumSet.of(CatalogAbility.RENAMES, CatalogAbility.PLACES_TABLES_ANYWHERE));
    }

    @Override
    protected String registered(String metadata) {
        return Dropped.metadata(metadata);
    }
}
