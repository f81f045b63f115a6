package io.batchweave.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * An S3 server of this process with one bucket. It keeps the contract, except where a test plans
 * that a request goes wrong. Signatures are not checked.
 */
public final class FakeS3 implements AutoCloseable {
    public static final String BUCKET = "training";

    static {
        // Otherwise each answer waits 40 ms for the client to say that it has come.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** Parts as small as the protocol allows, and no patience beyond a minute. */
    static final S3Settings SETTINGS =
            new S3Settings(
                    S3Settings.Addressing.AUTOMATIC,
                    32,
                    16,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1),
                    5 << 20,
                    2);

    private final FakeBucket bucket;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<FakeRequest> requests = new CopyOnWriteArrayList<>();
    private final List<Plan> plans = new ArrayList<>();

    /** What goes wrong with a request. */
    @FunctionalInterface
    interface Mishap {
        /**
         * Answers in place of the server, which may or may not do what it was asked for.
         *
         * @return empty to close the connection without an answer
         */
        Optional<FakeReply> befall(FakeRequest request, Server server);
    }

    /** The server as it should be. */
    @FunctionalInterface
    interface Server {
        FakeReply answer(FakeRequest request);
    }

    private static final class Plan {
        private final Predicate<FakeRequest> whom;
        private final Mishap mishap;
        private int times;

        Plan(Predicate<FakeRequest> whom, int times, Mishap mishap) {
            this.whom = whom;
            this.times = times;
            this.mishap = mishap;
        }
    }

    private FakeS3(FakeBucket bucket) {
        this.bucket = bucket;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        http.start();
    }

    /** A server that does everything right. */
    public static FakeS3 start() {
        return new FakeS3(new FakeBucket(BUCKET, FakeBucket.Conditions.HONOURED));
    }

    /** A server that does not heed conditions at all. */
    public static FakeS3 startIgnoringConditions() {
        return start(FakeBucket.Conditions.IGNORED);
    }

    /** A server that heeds conditions only so far. */
    static FakeS3 start(FakeBucket.Conditions conditions) {
        return new FakeS3(new FakeBucket(BUCKET, conditions));
    }

    /** The next requests that fit go wrong; of several plans the first counts. */
    void plan(Predicate<FakeRequest> whom, int times, Mishap mishap) {
        synchronized (plans) {
            plans.add(new Plan(whom, times, mishap));
        }
    }

    /** All requests so far. */
    List<FakeRequest> requests() {
        return List.copyOf(requests);
    }

    /** How many requests fit. */
    long count(Predicate<FakeRequest> whom) {
        return requests.stream().filter(whom).count();
    }

    FakeBucket bucket() {
        return bucket;
    }

    public URI endpoint() {
        return URI.create(
                "http://%s:%d"
                        .formatted(
                                http.getAddress().getAddress().getHostAddress(),
                                http.getAddress().getPort()));
    }

    /** Opens the whole bucket. */
    public ObjectStore open(World world) {
        return open("s3://" + BUCKET, world, client -> {});
    }

    ObjectStore open(String uri, World world, Consumer<S3ClientBuilder> more) {
        Consumer<S3ClientBuilder> ours =
                client ->
                        client.endpointOverride(endpoint())
                                .region(Region.US_EAST_1)
                                .credentialsProvider(
                                        StaticCredentialsProvider.create(
                                                AwsBasicCredentials.create("key", "hush-hush")));
        return S3Store.open(URI.create(uri), world, SETTINGS, ours.andThen(more));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            FakeRequest request = FakeRequest.of(exchange);
            requests.add(request);
            Optional<Mishap> mishap = mishapOf(request);
            Optional<FakeReply> reply =
                    mishap.isPresent()
                            ? mishap.get().befall(request, bucket::answer)
                            : Optional.of(bucket.answer(request));
            if (reply.isPresent()) {
                send(exchange, request, reply.get());
            }
        }
    }

    private Optional<Mishap> mishapOf(FakeRequest request) {
        synchronized (plans) {
            for (Plan plan : plans) {
                if (plan.times > 0 && plan.whom.test(request)) {
                    plan.times--;
                    return Optional.of(plan.mishap);
                }
            }
            return Optional.empty();
        }
    }

    private static void send(HttpExchange exchange, FakeRequest request, FakeReply reply)
            throws IOException {
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        boolean hasBody = !request.method().equals("HEAD") && reply.status() != 304;
        if (!hasBody) {
            exchange.getResponseHeaders().set("Content-Length", "" + reply.body().length);
            exchange.sendResponseHeaders(reply.status(), -1);
            return;
        }
        int length = reply.body().length;
        exchange.sendResponseHeaders(reply.status(), length == 0 ? -1 : length);
        OutputStream body = exchange.getResponseBody();
        body.write(reply.body(), 0, length - reply.cutBytes());
        body.flush();
    }

    /** Puts an object into the bucket, as other programs do. */
    void plant(String key, String body) {
        bucket.plant(key, body.getBytes(UTF_8));
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
