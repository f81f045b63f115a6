package io.batchweave.hdfs;

import io.batchweave.catalog.StoredCatalogContract;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Our catalog on HDFS. */
class HdfsCatalogIT extends StoredCatalogContract {
    @TempDir private static Path folder;
    private static MiniDfs server;

    @BeforeAll
    static void start() {
        server = MiniDfs.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected ObjectStore openStore(World world) {
        return server.open("/catalog-" + world.newId());
    }
}
