package io.batchweave.store.hadoop;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;

/** The contract over a file system that is not HDFS. */
class FakeAzureContractTest extends ObjectStoreContract {
    @TempDir private Path folder;

    @Override
    protected ObjectStore open() {
        Configuration settings = new Configuration();
        settings.set("fs.abfs.impl", FakeAzure.class.getName());
        return HadoopStore.open(
                URI.create("abfs://container@account" + folder), World.real(), settings);
    }

    @Override
    protected void plant(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), name);
    }
}
