package io.batchweave.catalog.rest;

import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.errors.BatchWeaveException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every request comes through here: who asks is looked at first, then what, and only then is the
 * body read.
 */
final class Gate extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final String BEARER = "Bearer ";

    private final List<Route> routes;
    private final RestSettings settings;

    Gate(List<Route> routes, RestSettings settings) {
        this.routes = routes;
        this.settings = settings;
    }

    /** No thread waits for a body: who sends it slowly keeps nobody else from being served. */
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Asked asked;
        try {
            asked = asked(request);
        } catch (RuntimeException e) {
            respond(
                    request,
                    response,
                    callback,
                    () -> {
                        throw e;
                    });
            return true;
        }
        if (request.getLength() == 0) {
            respond(request, response, callback, () -> asked.answer(""));
        } else {
            BiConsumer<byte[], Throwable> read =
                    (body, failure) -> {
                        try {
                            respond(
                                    request,
                                    response,
                                    callback,
                                    () -> asked.answer(text(request, body, failure)));
                        } catch (Throwable e) {
                            // Nobody else completes it, and the client would wait.
                            callback.failed(e);
                        }
                    };
            Content.Source.asByteArrayAsync(
                    request,
                    RestSettings.BODY_BYTES_MAX,
                    Promise.Invocable.from(InvocationType.BLOCKING, read));
        }
        return true;
    }

    private static void respond(
            Request request,
            Response response,
            Callback callback,
            Supplier<Optional<Object>> answer) {
        int status;
        Optional<String> body;
        try {
            body = answer.get().map(Call::toJson);
            status = body.isPresent() ? 200 : 204;
        } catch (RuntimeException e) {
            ErrorResponse error = ErrorAnswers.of(e);
            status = error.code();
            body = Optional.of(ErrorResponseParser.toJson(error));
            if (status >= 500) {
                log(e);
            }
        }
        if (status == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        if (status == 413) {
            // What is still under way is not read, so nothing can follow it.
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        write(request, response, callback, status, body);
    }

    /** What is known to go wrong says why; of all else the place is told. */
    private static void log(RuntimeException e) {
        if (e instanceof BatchWeaveException) {
            LOG.warn("Cannot answer a request: {}", e.getMessage());
        } else {
            LOG.warn("Cannot answer a request: {}", e.getMessage(), e);
        }
    }

    static void write(
            Request request,
            Response response,
            Callback callback,
            int status,
            Optional<String> body) {
        response.setStatus(status);
        boolean head = HttpMethod.HEAD.is(request.getMethod());
        if (body.isPresent()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        }
        byte[] bytes = head ? new byte[0] : body.orElse("").getBytes(StandardCharsets.UTF_8);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    /** A request that may be answered, but for its body. */
    private record Asked(Route route, Map<String, String> names, Map<String, String> query) {
        Optional<Object> answer(String body) {
            return route.action().apply(new Call(names, query, body));
        }
    }

    private Asked asked(Request request) {
        authenticate(request);
        String path = request.getHttpURI().getPath();
        List<String> parts =
                Arrays.asList(path.substring(path.startsWith("/") ? 1 : 0).split("/", -1));
        for (Route route : routes) {
            Optional<Map<String, String>> names = route.names(request.getMethod(), parts);
            if (names.isPresent()) {
                authorize(route);
                if (request.getLength() > RestSettings.BODY_BYTES_MAX) {
                    throw tooLarge();
                }
                return new Asked(route, names.get(), query(request));
            }
        }
        for (String part : parts) {
            if (part.matches("(?i)(\\.|%2e){1,2}")) {
                throw Refusal.badRequest("Cannot follow a path with dots in it");
            }
        }
        throw new Refusal(
                404,
                "NoSuchEndpointException",
                "Cannot %s %s: there is no such endpoint".formatted(request.getMethod(), path));
    }

    private void authenticate(Request request) {
        if (settings.token().isEmpty()) {
            return;
        }
        String given =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)).orElse("");
        boolean bearer = given.regionMatches(true, 0, BEARER, 0, BEARER.length());
        // Compared in a time that does not tell how much of it is right.
        if (!bearer
                || !MessageDigest.isEqual(
                        bytes(given.substring(BEARER.length())), bytes(settings.token().get()))) {
            throw new Refusal(
                    401,
                    "NotAuthorizedException",
                    "Cannot serve this request: it has no valid bearer token");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void authorize(Route route) {
        if (route.needs() == Access.READ_AND_WRITE && settings.access() == Access.READ_ONLY) {
            throw new Refusal(
                    403,
                    "ForbiddenException",
                    "Cannot change anything here: this server is read-only");
        }
    }

    private static Map<String, String> query(Request request) {
        Map<String, String> query = new HashMap<>();
        for (Fields.Field field : Request.extractQueryParameters(request)) {
            query.put(field.getName(), field.getValue());
        }
        return query;
    }

    private static String text(Request request, byte[] body, Throwable failure) {
        if (failure instanceof IllegalStateException) {
            throw tooLarge();
        }
        if (failure != null) {
            throw Refusal.badRequest("Cannot read the request: " + failure.getMessage());
        }
        demandJson(request, body.length);
        return new String(body, StandardCharsets.UTF_8);
    }

    /** A web page may send other kinds to this machine without asking; this one it may not. */
    private static void demandJson(Request request, int length) {
        String type =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("");
        if (length > 0 && !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw Refusal.badRequest("Cannot read the request: its type is not application/json");
        }
    }

    private static Refusal tooLarge() {
        return new Refusal(
                413,
                "RequestTooLargeException",
                "Cannot take this request: it has more than %d bytes"
                        .formatted(RestSettings.BODY_BYTES_MAX));
    }
}
