package io.batchweave.hdfs;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class HdfsContractIT extends ObjectStoreContract {
    @TempDir private static Path folder;
    private static MiniDfs server;

    private final String space = "/contract-" + World.real().newId();

    @BeforeAll
    static void start() {
        server = MiniDfs.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected ObjectStore open() {
        return server.open(space);
    }

    @Override
    protected void plant(String name) throws IOException {
        try (DistributedFileSystem files = server.files()) {
            files.create(new org.apache.hadoop.fs.Path(space + "/" + name)).close();
        }
    }
}
