package io.batchweave.store.hadoop;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.StoreProvider;
import io.batchweave.world.World;
import java.net.URI;
import java.util.Set;

/**
 * Opens {@code hdfs://namenode:8020/folder} and the like, by Hadoop's own settings: {@code
 * core-site.xml} and {@code hdfs-site.xml} on the class path. What is not HDFS needs its connector
 * there too.
 */
public final class HadoopStoreProvider implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of("hdfs", "viewfs", "abfs", "abfss", "gs", "s3a");
    }

    @Override
    public String needs() {
        return "org.apache.hadoop:hadoop-client-api and org.apache.hadoop:hadoop-client-runtime";
    }

    @Override
    public ObjectStore open(URI uri, World world) {
        // The settings come first: without Hadoop, they are what is told to be missing.
        return HadoopStore.open(uri, world, Settings.ofClassPath());
    }
}
