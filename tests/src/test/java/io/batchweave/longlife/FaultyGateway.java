package io.batchweave.longlife;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.batchweave.steps.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A gateway before a server of Iceberg tables: commits and looks come out as a test plans. */
final class FaultyGateway implements AutoCloseable {
    private static final Pattern TABLE = Pattern.compile("/v1/namespaces/[^/]+/tables/[^/]+");
    private static final List<String> PASSED_ON =
            List.of("Content-Type", "Accept", "Authorization", "If-None-Match", "Idempotency-Key");

    static {
        // It sends an answer in two pieces, of which the second would wait for the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final URI server;
    private final HttpServer gateway;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger looksThatFail = new AtomicInteger();
    private volatile Supplier<Outcome> plan = () -> null;
    private volatile int errorStatus = 500;
    private volatile Optional<String> retryAfter = Optional.empty();

    FaultyGateway(URI server) throws IOException {
        this.server = server;
        gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/", this::handle);
        gateway.setExecutor(threads);
        gateway.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + gateway.getAddress().getPort());
    }

    /** Decides how each commit comes out, from now on; null: well. */
    void always(Supplier<Outcome> outcomes) {
        plan = outcomes;
    }

    /** An error is told so, and that one may try again after so many seconds. */
    void errors(int status, Optional<String> after) {
        errorStatus = status;
        retryAfter = after;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean isTable = TABLE.matcher(exchange.getRequestURI().getRawPath()).matches();
            if (isTable && exchange.getRequestMethod().equals("POST")) {
                commit(exchange, body);
            } else if (isTable && looksThatFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                answer(exchange, 503, error(503, "ServiceUnavailableException"));
            } else {
                passOn(exchange, forwarded(exchange, body));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void commit(HttpExchange exchange, byte[] body)
            throws IOException, InterruptedException {
        Outcome outcome = plan.get();
        if (outcome == null) {
            passOn(exchange, forwarded(exchange, body));
            return;
        }
        if (outcome.done() == Outcome.Done.APPLIED) {
            HttpResponse<byte[]> answer = forwarded(exchange, body);
            if (answer.statusCode() != 200) {
                throw new IOException("A commit that is to be applied was refused: " + answer);
            }
        }
        looksThatFail.set(outcome.looksThatFail());
        switch (outcome.answer()) {
            case LOST -> exchange.close();
            case ERROR -> {
                retryAfter.ifPresent(
                        after -> exchange.getResponseHeaders().set("Retry-After", after));
                answer(exchange, errorStatus, error(errorStatus, "ServiceFailureException"));
            }
            case CONFLICT -> answer(exchange, 409, error(409, "CommitFailedException"));
        }
    }

    private HttpResponse<byte[]> forwarded(HttpExchange exchange, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
                        .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String name : PASSED_ON) {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst(name))
                    .ifPresent(value -> request.header(name, value));
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static void passOn(HttpExchange exchange, HttpResponse<byte[]> answer)
            throws IOException {
        for (String name : List.of("Content-Type", "ETag")) {
            answer.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
        answer(exchange, answer.statusCode(), answer.body());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static byte[] error(int status, String type) {
        return "{\"error\":{\"message\":\"planned\",\"type\":\"%s\",\"code\":%d}}"
                .formatted(type, status)
                .getBytes(UTF_8);
    }

    @Override
    public void close() {
        gateway.stop(0);
        threads.shutdownNow();
    }
}
