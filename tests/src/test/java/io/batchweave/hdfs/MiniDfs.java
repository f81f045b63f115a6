package io.batchweave.hdfs;

import io.batchweave.store.hadoop.HadoopStore;
import io.batchweave.testing.Require;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** A real HDFS, a NameNode and a datanode, in a process of its own that keeps all in a folder. */
public final class MiniDfs implements AutoCloseable {
    private static final Path LIB =
            Path.of(System.getProperty("repository.root"), "tests/servers/minidfs/target/lib");

    private static final Pattern PORT = Pattern.compile("\"namenode_port\":(\\d+)}");
    private static final int START_SECONDS_MAX = 90;
    private static final int POLL_MS = 20;

    private final Process process;
    private final int port;

    private MiniDfs(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one whose blocks and log are in this folder. */
    public static MiniDfs start(Path folder) {
        Require.that(
                Files.isDirectory(LIB),
                "the HDFS is not in " + LIB + "; build the project from its root");
        Path ready = folder.resolve("minidfs.json");
        Path log = folder.resolve("minidfs.log");
        try {
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                    "-Xmx256m",
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    LIB + "/*",
                                    "org.apache.hadoop.test.MiniDFSClusterManager",
                                    "-format",
                                    "-datanodes",
                                    "1",
                                    "-nnport",
                                    "0",
                                    "-writeDetails",
                                    ready.toString(),
                                    "-D",
                                    "hdfs.minidfs.basedir=" + folder.resolve("dfs"),
                                    "-D",
                                    "dfs.namenode.fs-limits.min-block-size=1024")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            return new MiniDfs(process, port(process, ready, log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(Process process, Path ready, Path log) throws IOException {
        for (int polls = 0; ; polls++) {
            Matcher details = PORT.matcher(Files.exists(ready) ? Files.readString(ready) : "");
            if (details.find()) {
                return Integer.parseInt(details.group(1));
            }
            if (polls > START_SECONDS_MAX * 1_000 / POLL_MS || endsWithinAPoll(process)) {
                process.destroyForcibly();
                throw new AssertionError("the HDFS did not start: " + Files.readString(log));
            }
        }
    }

    private static boolean endsWithinAPoll(Process process) {
        try {
            return process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The URI of its root, with no slash at its end. */
    public String uri() {
        return "hdfs://127.0.0.1:" + port;
    }

    /** Small blocks, so that large objects have several. */
    static Configuration settings() {
        Configuration settings = new HdfsConfiguration();
        settings.set("dfs.blocksize", "4m");
        return settings;
    }

    /** A store of one of its folders. */
    HadoopStore open(String folder) {
        return HadoopStore.open(URI.create(uri() + folder), World.real(), settings());
    }

    /** Whatever else can be done with it, by its superuser. */
    DistributedFileSystem files() throws IOException {
        return (DistributedFileSystem)
                DistributedFileSystem.newInstance(URI.create(uri()), settings());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
