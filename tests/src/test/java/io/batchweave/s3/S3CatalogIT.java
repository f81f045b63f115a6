package io.batchweave.s3;

import io.batchweave.catalog.StoredCatalogContract;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Our catalog on S3Proxy: also eight committers who race, and lose no commit. */
class S3CatalogIT extends StoredCatalogContract {
    @TempDir private static Path folder;
    private static S3Proxy server;

    @BeforeAll
    static void start() {
        server = S3Proxy.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected ObjectStore openStore(World world) {
        String uri = "s3://" + S3Proxy.BUCKET + "/catalog-" + world.newId();
        return server.access().open(uri, world, S3ContractIT.SMALL_PARTS);
    }
}
