package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.testing.Ports;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Endpoints at which no S3 server is, each told within seconds, with the cause, in one line. */
class WrongEndpointTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private static final Duration SECONDS = Duration.ofSeconds(20);

    private final HandClock clock = new HandClock(START);
    private final FakeS3 fake = FakeS3.start();

    @AfterEach
    void close() {
        fake.close();
    }

    private ObjectStore open(String endpoint) {
        Consumer<S3ClientBuilder> there = client -> client.endpointOverride(URI.create(endpoint));
        return fake.open("s3://training/warehouse", clock.world(1), there);
    }

    /** Whatever is asked first; the time that passes is that of the pauses between requests. */
    private void assertRefused(
            String endpoint, Class<? extends UnavailableException> kind, String why) {
        for (ThrowingCallable first : firstRequests(endpoint)) {
            Instant begun = clock.instant();
            assertThatThrownBy(first)
                    .isExactlyInstanceOf(kind)
                    .hasMessageContaining(why)
                    .hasMessageContaining("AWS_ENDPOINT_URL_S3")
                    .hasMessageNotContainingAny("\n", "hush", "<html>");
            assertThat(Duration.between(begun, clock.instant())).isLessThan(SECONDS);
        }
    }

    private List<ThrowingCallable> firstRequests(String endpoint) {
        DatasetName name = DatasetName.parse("train.numbers");
        return List.of(
                () -> with(endpoint, store -> store.read("a", 1)),
                () -> with(endpoint, store -> store.list("", "")),
                () -> with(endpoint, store -> Probe.of(store, "probe", Probe.Effort.QUICK)),
                () -> with(endpoint, store -> Log.open(store, name, world(), LogLimits.DEFAULT)));
    }

    private World world() {
        return clock.world(2);
    }

    private void with(String endpoint, Consumer<ObjectStore> work) {
        try (ObjectStore store = open(endpoint)) {
            work.accept(store);
        }
    }

    private static String addressOf(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static HttpServer started(HttpServer server, HttpHandler handler) throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    /** As most servers do, it says that this is no request. */
    @Test
    void aPlainServerIsNotAskedByTls() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (ServerSocket plain = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            thread.execute(() -> answerBadRequest(plain));
            assertRefused(
                    "https://127.0.0.1:" + plain.getLocalPort(),
                    NoAccessException.class,
                    "the server does not speak TLS; write AWS_ENDPOINT_URL_S3 with http://");
        } finally {
            thread.shutdownNow();
        }
    }

    private static void answerBadRequest(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The client has gone, or the server was closed.
            }
        }
    }

    @Test
    void aTlsServerIsNotAskedInPlainText() throws Exception {
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
        started(server, exchange -> exchange.close());
        try {
            assertRefused("http://" + addressOf(server), UnavailableException.class, "https");
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "502, io.batchweave.errors.UnavailableException",
        "503, io.batchweave.errors.UnavailableException",
        "200, io.batchweave.errors.NoAccessException",
        "403, io.batchweave.errors.NoAccessException",
        "404, io.batchweave.errors.NoAccessException"
    })
    void aPageOfAProxyIsNoServer(int status, Class<? extends UnavailableException> kind)
            throws Exception {
        byte[] page = "<html><body>Please log in</body></html>".getBytes(US_ASCII);
        HttpServer server =
                started(
                        HttpServer.create(),
                        exchange -> {
                            exchange.getResponseHeaders().set("Content-Type", "text/html");
                            exchange.sendResponseHeaders(status, page.length);
                            exchange.getResponseBody().write(page);
                            exchange.close();
                        });
        try {
            assertRefused("http://" + addressOf(server), kind, "what answered is no S3 server");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aHostOfNoNameIsSaid() {
        assertRefused(
                "http://no-such-host.invalid:9000",
                UnavailableException.class,
                "its server's name is unknown");
    }

    @Test
    void aPortAtWhichNobodyListensIsSaid() throws Exception {
        assertRefused(
                "http://127.0.0.1:" + Ports.free(),
                UnavailableException.class,
                "no server could be reached; check that it runs");
    }

    /** A gateway before a server that is known answers so while that restarts. */
    @Test
    void theSamePageFromAServerThatIsKnownIsWaitedFor() {
        try (ObjectStore store = open(fake.endpoint().toString())) {
            store.create("a", bytes("x"));
            fake.plan(FakeRequest.gets(), 9, Mishaps.answer(FakeReply.page(502)));
            assertThat(text(store.read("a", 1))).isEqualTo("x");

            fake.plan(FakeRequest.gets(), Integer.MAX_VALUE, Mishaps.answer(FakeReply.page(502)));
            assertThat(catchThrowable(() -> store.read("a", 1)))
                    .isExactlyInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it answered with status 502");
        }
        assertThat(Duration.between(START, clock.instant())).isGreaterThan(Duration.ofSeconds(59));
    }
}
