package io.batchweave.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a client asked of a {@link FakeS3}: the path is {@code /bucket/key}. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record FakeRequest(
        String method,
        String bucket,
        String key,
        Map<String, String> query,
        Map<String, String> headers,
        byte[] body) {
    static FakeRequest of(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", 3);
        Map<String, String> query = new HashMap<>();
        String text = exchange.getRequestURI().getRawQuery();
        for (String pair : text == null ? new String[0] : text.split("&")) {
            String[] sides = pair.split("=", 2);
            query.put(sides[0], sides.length == 1 ? "" : URLDecoder.decode(sides[1], UTF_8));
        }
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
        return new FakeRequest(
                exchange.getRequestMethod(),
                path[1],
                path.length == 3 ? path[2] : "",
                query,
                headers,
                exchange.getRequestBody().readAllBytes());
    }

    /** A header by its name as the server spells it: {@code If-none-match}. */
    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    boolean has(String parameter) {
        return query.containsKey(parameter);
    }

    static Predicate<FakeRequest> puts() {
        return request -> request.method.equals("PUT") && !request.has("partNumber");
    }

    static Predicate<FakeRequest> parts() {
        return request -> request.method.equals("PUT") && request.has("partNumber");
    }

    static Predicate<FakeRequest> gets() {
        return request -> request.method.equals("GET") && !request.has("list-type");
    }

    static Predicate<FakeRequest> lists() {
        return request -> request.has("list-type");
    }

    static Predicate<FakeRequest> completions() {
        return request -> request.method.equals("POST") && request.has("uploadId");
    }

    static Predicate<FakeRequest> aborts() {
        return request -> request.method.equals("DELETE") && request.has("uploadId");
    }

    static Predicate<FakeRequest> deletions() {
        return request -> request.has("delete");
    }

    static Predicate<FakeRequest> any() {
        return request -> true;
    }
}
