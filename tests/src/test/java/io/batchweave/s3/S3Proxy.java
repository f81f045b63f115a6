package io.batchweave.s3;

import io.batchweave.testing.Ports;
import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real S3 server in a process of its own, which keeps its objects in a folder and checks
 * signatures.
 */
public final class S3Proxy implements AutoCloseable {
    /** The bucket that is there. */
    public static final String BUCKET = "training";

    private static final Path HOME =
            Path.of(System.getProperty("repository.root"), "tests/servers/s3proxy");

    private static final String ACCESS_KEY = "local-identity";
    private static final String SECRET_KEY = "local-secret";
    private static final int START_SECONDS_MAX = 60;
    private static final int POLL_MS = 20;

    private final Process process;
    private final int port;

    private S3Proxy(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one whose objects and log are in this folder. */
    public static S3Proxy start(Path folder) {
        Path lib = HOME.resolve("target/lib");
        Require.that(
                Files.isDirectory(lib),
                "the S3 server is not in " + lib + "; build the project from its root");
        try {
            int port = Ports.free();
            Path objects = Files.createDirectories(folder.resolve("buckets"));
            Files.createDirectories(objects.resolve(BUCKET));
            String shipped = Files.readString(HOME.resolve("s3proxy.properties"));
            Path settings =
                    Files.writeString(
                            folder.resolve("s3proxy.properties"),
                            shipped
                                    + "\ns3proxy.endpoint=http://127.0.0.1:"
                                    + port
                                    + "\njclouds.filesystem.basedir="
                                    + objects
                                    + "\n");
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                    "-Xmx256m",
                                    "-Dlogback.configurationFile=" + HOME.resolve("logback.xml"),
                                    "-cp",
                                    lib + "/*",
                                    "org.gaul.s3proxy.Main",
                                    "--properties",
                                    settings.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("s3proxy.log").toFile())
                            .start();
            S3Proxy server = new S3Proxy(process, port);
            server.awaitReady(folder.resolve("s3proxy.log"));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady(Path log) throws IOException {
        for (int polls = 0; !accepts(); polls++) {
            if (polls > START_SECONDS_MAX * 1_000 / POLL_MS || endsWithinAPoll()) {
                process.destroyForcibly();
                throw new AssertionError("the S3 server did not start: " + Files.readString(log));
            }
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean endsWithinAPoll() {
        try {
            return process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** How to open it from this process. */
    public S3Access access() {
        return new S3Access(endpoint(), ACCESS_KEY, SECRET_KEY);
    }

    /** What a process must find in its environment to reach it. */
    public Map<String, String> environment() {
        return access().environment();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
