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
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real S3 server that ignores conditions, in a process of its own: <a
 * href="https://github.com/jamhall/s3rver">S3rver</a>, of which npm makes a copy in the build.
 */
final class S3rver implements AutoCloseable {
    private static final String PACKAGE = "s3rver@3.7.1";
    private static final Path HOME =
            Path.of(System.getProperty("repository.root"), "tests/target/s3rver");
    private static final Path MAIN = HOME.resolve("node_modules/s3rver/bin/s3rver.js");
    private static final int POLL_MS = 50;
    private static final int POLLS_MAX = 1_200;

    private final Process process;
    private final int port;

    private S3rver(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one that keeps its objects and its log in this folder. */
    static S3rver start(Path folder) throws IOException, InterruptedException {
        Require.that(
                Files.exists(MAIN) || installs(folder),
                "a server that ignores conditions is fetched by npm; install Node.js, and let npm"
                        + " reach its registry");
        int port = Ports.free();
        Process process =
                new ProcessBuilder(
                                "node",
                                MAIN.toString(),
                                "--silent",
                                "--directory",
                                Files.createDirectories(folder.resolve("objects")).toString(),
                                "--address",
                                "127.0.0.1",
                                "--port",
                                Integer.toString(port),
                                "--configure-bucket",
                                S3Proxy.BUCKET)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("s3rver.log").toFile())
                        .start();
        S3rver server = new S3rver(process, port);
        server.awaitReady();
        return server;
    }

    private static boolean installs(Path folder) throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    List.of(
                                            "npm",
                                            "install",
                                            "--no-audit",
                                            "--no-fund",
                                            "--prefix",
                                            HOME.toString(),
                                            PACKAGE))
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("npm.log").toFile())
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no npm.
            return false;
        }
    }

    private void awaitReady() throws InterruptedException {
        for (int polls = 0; polls < POLLS_MAX; polls++) {
            if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("S3rver ended: " + process);
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            } catch (IOException e) {
                // It does not listen yet.
            }
        }
        throw new UncheckedIOException(new IOException("S3rver does not listen"));
    }

    S3Access access() {
        return new S3Access(URI.create("http://127.0.0.1:" + port), "S3RVER", "S3RVER");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
