package io.batchweave.catalog.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is let through and what is not, and how that is told. */
@Timeout(60)
class RestServerTest {
    private static final String TOKEN = "s3cret-token";

    /** Of which the rest never comes. */
    private static final String SLOW_REQUEST =
            String.join(
                    "\r\n",
                    "POST /v1/namespaces HTTP/1.1",
                    "Host: x",
                    "Content-Type: application/json",
                    "Content-Length: 1000",
                    "",
                    "{");

    private static final World WORLD = World.real();
    private static final MemoryStore STORE = new MemoryStore(WORLD);
    private static final ObjectStoreCatalog CATALOG = new ObjectStoreCatalog(STORE, WORLD);

    private static RestServer open;
    private static RestServer guarded;
    private static RestServer reading;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        CATALOG.createNamespace(Namespace.of("train"));
        CATALOG.createTable(
                TableIdentifier.of("train", "steps"),
                new Schema(Types.NestedField.required(1, "step", Types.LongType.get())));
        open = RestServer.start(CATALOG, RestSettings.loopback(0, Access.READ_AND_WRITE));
        guarded =
                RestServer.start(
                        CATALOG,
                        RestSettings.guarded("127.0.0.1", 0, Access.READ_AND_WRITE, TOKEN));
        reading = RestServer.start(CATALOG, RestSettings.loopback(0, Access.READ_ONLY));
    }

    @AfterAll
    static void stop() {
        open.close();
        guarded.close();
        reading.close();
    }

    private static HttpRequest.Builder to(RestServer server, String path) {
        return HttpRequest.newBuilder(URI.create(server.uri() + path));
    }

    private HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> posted(RestServer server, String path, String body)
            throws Exception {
        return sent(
                to(server, path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode error(HttpResponse<String> response) throws IOException {
        return error(response.body());
    }

    private static JsonNode error(String body) throws IOException {
        return new ObjectMapper().readTree(body).get("error");
    }

    private static void assertRefused(HttpResponse<String> response, int status, String type)
            throws IOException {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(error(response).get("code").asInt()).isEqualTo(status);
        assertThat(error(response).get("type").asText()).isEqualTo(type);
        assertThat(error(response).get("message").asText()).startsWith("Cannot ");
    }

    @Test
    void whoSendsSlowlyKeepsNobodyFromBeingServed() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket(open.uri().getHost(), open.uri().getPort());
                slow.add(socket);
                socket.getOutputStream().write(SLOW_REQUEST.getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(sent(to(open, "/v1/namespaces/train")).statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aTableIsServed() throws Exception {
        HttpResponse<String> response = sent(to(open, "/v1/namespaces/train/tables/steps"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(new ObjectMapper().readTree(response.body()).get("metadata-location").asText())
                .isEqualTo("memory:///train/steps/metadata/v1.metadata.json");
    }

    @Test
    void aTableThatIsDamagedIsAFaultOfTheServer() throws Exception {
        STORE.create(
                "damaged/steps/metadata/v1.metadata.json",
                ByteBuffer.wrap("{\"broken".getBytes(StandardCharsets.US_ASCII)));

        assertRefused(
                sent(to(open, "/v1/namespaces/damaged/tables/steps")), 500, "CorruptException");
    }

    @Test
    void clientsAreToldWhatTheyMayAsk() throws Exception {
        assertThat(sent(to(open, "/v1/config?warehouse=any")).body())
                .contains("GET /v1/{prefix}/namespaces/{namespace}/tables/{table}")
                .doesNotContain("views")
                .doesNotContain("transactions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer wrong", "Bearer ", "Basic s3cret-token", "s3cret-token"})
    void aBadTokenIsRefused(String header) throws Exception {
        HttpRequest.Builder request = to(guarded, "/v1/namespaces");
        if (!header.isEmpty()) {
            request.header("Authorization", header);
        }

        HttpResponse<String> response = sent(request);

        assertRefused(response, 401, "NotAuthorizedException");
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(response.body()).doesNotContain(TOKEN);
    }

    @Test
    void theRightTokenIsTaken() throws Exception {
        assertThat(
                        sent(to(guarded, "/v1/namespaces")
                                        .header("Authorization", "Bearer " + TOKEN))
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void evenTheExistenceOfRoutesIsToldToTheKnownOnly() throws Exception {
        assertThat(sent(to(guarded, "/nowhere")).statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/namespaces/%2e%2e/tables/steps, 400",
        "/v1/namespaces/train/tables/%2e%2e%2fetc, 400",
        "/v1/namespaces/train/tables/..%2f..%2fetc%2fpasswd, 400",
        "/v1/namespaces/train/tables/a%5Cb, 400",
        "/v1/namespaces/train/tables/a%00b, 400",
        "/v1/namespaces/train/../tables, 400",
        "/v1/namespaces/train/tables/steps/../../x, 400",
        "/v1/namespaces/train/tables/absent, 404",
        "/v1/namespaces/absent, 404",
        "/v1/namespaces/train%1Fsub, 404",
    })
    void aPathThatLeadsAwayIsRefused(String path, int status) throws Exception {
        // The client would tidy such a path before sending it.
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(error(answer.substring(answer.indexOf("{"))).get("code").asInt())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up", "a/b", "..", ""})
    void aNameThatLeadsAwayIsRefusedInABodyToo(String name) throws Exception {
        String schema = "{\"type\":\"struct\",\"fields\":[]}";
        assertRefused(
                posted(
                        open,
                        "/v1/namespaces/train/tables",
                        "{\"name\":\"%s\",\"schema\":%s}".formatted(name, schema)),
                400,
                "BadRequestException");
        assertRefused(
                posted(open, "/v1/namespaces", "{\"namespace\":[\"%s\"]}".formatted(name)),
                400,
                "BadRequestException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{", "[]", "{}", "{\"namespace\":7}", "\u0000"})
    void aBodyThatMakesNoSenseIsRefused(String body) throws Exception {
        assertRefused(posted(open, "/v1/namespaces", body), 400, "BadRequestException");
    }

    @Test
    void aBodyOfAnotherTypeIsRefused() throws Exception {
        assertRefused(
                sent(
                        to(open, "/v1/namespaces")
                                .header("Content-Type", "text/plain")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"namespace\":[\"csrf\"]}"))),
                400,
                "BadRequestException");
        assertThat(CATALOG.namespaceExists(Namespace.of("csrf"))).isFalse();
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedUnread() throws Exception {
        // Not one byte of the hundred million is sent: the answer does not wait for them.
        String answer =
                raw(
                        String.join(
                                "\r\n",
                                "POST /v1/namespaces HTTP/1.1",
                                "Host: x",
                                "Content-Type: application/json",
                                "Content-Length: 100000000",
                                "",
                                ""));

        assertThat(answer).startsWith("HTTP/1.1 413 ");
        assertThat(error(answer.substring(answer.indexOf("{"))).get("type").asText())
                .isEqualTo("RequestTooLargeException");
    }

    @Test
    void aBodyWithoutALengthThatIsTooLargeIsRefused() throws Exception {
        byte[] much = new byte[RestSettings.BODY_BYTES_MAX + 1];
        HttpRequest.BodyPublisher chunked =
                HttpRequest.BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(much));

        assertRefused(
                sent(
                        to(open, "/v1/namespaces")
                                .header("Content-Type", "application/json")
                                .POST(chunked)),
                413,
                "RequestTooLargeException");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /",
        "GET, /v2/config",
        "GET, /v1/namespaces/train/views",
        "POST, /v1/transactions/commit",
        "POST, /v1/oauth/tokens",
        "PUT, /v1/namespaces",
        "OPTIONS, /v1/namespaces",
        "GET, /v1/namespaces/train/tables/steps/more",
    })
    void whatIsNotServedIsSaid(String method, String path) throws Exception {
        assertRefused(
                sent(to(open, path).method(method, HttpRequest.BodyPublishers.noBody())),
                404,
                "NoSuchEndpointException");
    }

    @Test
    void whatIsNoHttpIsRefused() throws Exception {
        assertThat(raw("NONSENSE\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/namespaces",
        "DELETE, /v1/namespaces/train",
        "POST, /v1/namespaces/train/properties",
        "POST, /v1/namespaces/train/tables",
        "POST, /v1/namespaces/train/register",
        "POST, /v1/namespaces/train/tables/steps",
        "DELETE, /v1/namespaces/train/tables/steps?purgeRequested=true",
        "POST, /v1/tables/rename",
    })
    void whoMayOnlyReadChangesNothing(String method, String path) throws Exception {
        assertRefused(
                sent(to(reading, path).method(method, HttpRequest.BodyPublishers.ofString("{}"))),
                403,
                "ForbiddenException");
        assertThat(CATALOG.tableExists(TableIdentifier.of("train", "steps"))).isTrue();
    }

    @Test
    void whoMayOnlyReadReads() throws Exception {
        assertThat(sent(to(reading, "/v1/namespaces/train/tables/steps")).statusCode())
                .isEqualTo(200);
        assertThat(
                        sent(to(reading, "/v1/namespaces/train")
                                        .method("HEAD", HttpRequest.BodyPublishers.noBody()))
                                .statusCode())
                .isEqualTo(204);
    }

    @Test
    void icebergsClientUnderstandsTheRefusals() {
        try (RESTCatalog client = new RESTCatalog()) {
            client.initialize("reading", Map.of("uri", reading.uri().toString()));
            assertThat(client.listTables(Namespace.of("train"))).hasSize(1);
            assertThatThrownBy(() -> client.createNamespace(Namespace.of("other")))
                    .isInstanceOf(ForbiddenException.class)
                    .hasMessageContaining("read-only");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        assertThatThrownBy(
                        () -> {
                            try (RESTCatalog client = new RESTCatalog()) {
                                client.initialize(
                                        "guarded", Map.of("uri", guarded.uri().toString()));
                            }
                        })
                .isInstanceOf(NotAuthorizedException.class);
    }

    @Test
    void aTakenPortIsSaid() {
        assertThatThrownBy(
                        () ->
                                RestServer.start(
                                        CATALOG,
                                        RestSettings.loopback(
                                                open.uri().getPort(), Access.READ_ONLY)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("Cannot listen on 127.0.0.1 port " + open.uri().getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "tab\t", "é"})
    void aTokenThatNoHeaderCanCarryIsRefused(String token) {
        assertThatThrownBy(() -> RestSettings.guarded("127.0.0.1", 0, Access.READ_ONLY, token))
                .isInstanceOf(InvalidRequestException.class);
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(open.uri().getHost(), open.uri().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
