package io.batchweave.store.hadoop;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** What we set of Hadoop's settings where nobody else does. */
final class Settings {
    private static final Map<String, String> UNLESS_SET =
            Map.of(
                    // A host that does not answer is waited for a minute, and not a quarter of an
                    // hour.
                    "ipc.client.connect.max.retries.on.timeouts", "2",
                    "ipc.client.rpc-timeout.ms", "60000",
                    // A file can be closed once a datanode has told the NameNode of its last block,
                    // which is often a moment after the client asks. It asks again after 10 ms and
                    // not after 400, and doubles that for 20 seconds in all.
                    "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "10",
                    "dfs.client.block.write.locateFollowingBlock.retries", "11");

    private Settings() {}

    /** Those that the files on the class path make. */
    static Configuration ofClassPath() {
        return new HdfsConfiguration();
    }

    /** These settings, and ours where they have only Hadoop's defaults. */
    static Configuration completed(Configuration settings) {
        Configuration all = new Configuration(settings);
        UNLESS_SET.forEach(
                (name, value) -> {
                    if (isDefault(settings, name)) {
                        all.set(name, value);
                    }
                });
        return all;
    }

    private static boolean isDefault(Configuration settings, String name) {
        String[] sources = settings.getPropertySources(name);
        return sources == null || sources[sources.length - 1].endsWith("-default.xml");
    }
}
