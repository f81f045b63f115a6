package io.batchweave.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A TCP proxy before a server. What clients send arrives; of some requests the answer is dropped
 * together with the connection.
 */
final class DroppingProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final Predicate<String> drops;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger dropped = new AtomicInteger();

    private DroppingProxy(URI server, Predicate<String> drops) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort());
        this.drops = drops;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts one.
     *
     * @param drops told the first line of each request, such as {@code PUT /bucket/key HTTP/1.1}
     */
    static DroppingProxy before(URI server, Predicate<String> drops) {
        DroppingProxy proxy = new DroppingProxy(server, drops);
        proxy.threads.execute(proxy::accept);
        return proxy;
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** How many answers were dropped. */
    int dropped() {
        return dropped.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                // It was closed.
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket upstream = new Socket()) {
            upstream.connect(server);
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Answers answers = new Answers(upstream.getInputStream(), client.getOutputStream());
            threads.execute(() -> answers.forward(client));
            forward(client.getInputStream(), upstream.getOutputStream(), answers);
        } catch (IOException e) {
            // One of the two has ended the connection, and closing ends the other.
            return;
        }
    }

    /**
     * Clients send a request when they have the answer to the one before, so what comes after an
     * answer begins with a request's first line.
     */
    private void forward(InputStream from, OutputStream to, Answers answers) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int got = from.read(buffer); got >= 0; got = from.read(buffer)) {
            String line = new String(buffer, 0, Math.min(got, 2_048), ISO_8859_1).split("\r", 2)[0];
            if (line.endsWith(" HTTP/1.1") && drops.test(line)) {
                answers.dropNext();
            }
            to.write(buffer, 0, got);
            to.flush();
        }
    }

    private final class Answers {
        private final InputStream from;
        private final OutputStream to;
        private volatile boolean drop;

        Answers(InputStream from, OutputStream to) {
            this.from = from;
            this.to = to;
        }

        void dropNext() {
            drop = true;
        }

        void forward(Socket client) {
            byte[] buffer = new byte[BUFFER_BYTES];
            try (client) {
                for (int got = from.read(buffer); got >= 0; got = from.read(buffer)) {
                    if (drop) {
                        // The server has answered, so it has done what it was asked for.
                        dropped.incrementAndGet();
                        return;
                    }
                    to.write(buffer, 0, got);
                    to.flush();
                }
            } catch (IOException e) {
                // The client has gone, or the server has.
                return;
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
