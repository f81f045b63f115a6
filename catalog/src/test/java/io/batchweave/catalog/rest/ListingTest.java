package io.batchweave.catalog.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What there is, whole and page by page. */
@Timeout(60)
class ListingTest {
    private static RestServer server;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        World world = World.real();
        ObjectStoreCatalog catalog = new ObjectStoreCatalog(new MemoryStore(world), world);
        for (String name : new String[] {"eval", "train"}) {
            catalog.createNamespace(Namespace.of(name));
            catalog.createTable(
                    TableIdentifier.of(name, "steps"),
                    new Schema(Types.NestedField.required(1, "step", Types.LongType.get())));
        }
        server = RestServer.start(catalog, RestSettings.loopback(0, Access.READ_ONLY));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.uri() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void namespaceHasNoneBelowIt() throws Exception {
        HttpResponse<String> response = get("/v1/namespaces?parent=train");

        assertThat(response.body()).contains("\"namespaces\":[]");
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pageSize=0",
                "pageSize=-1",
                "pageSize=abc",
                "pageSize=9999999999",
                "pageSize=1&pageToken=-5",
                "pageSize=1&pageToken=x"
            })
    void pageThatCannotBeIsRefused(String page) throws Exception {
        for (String listing : new String[] {"/v1/namespaces?", "/v1/namespaces/train/tables?"}) {
            HttpResponse<String> response = get(listing + page);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("\"message\":\"Cannot ", "whole number");
        }
    }

    @Test
    void pagesFollowOnEachOther() throws Exception {
        assertThat(get("/v1/namespaces?pageSize=1&pageToken=").body())
                .contains("eval", "\"next-page-token\":\"1\"")
                .doesNotContain("train");
        assertThat(get("/v1/namespaces?pageSize=1&pageToken=1").body())
                .contains("train")
                .doesNotContain("eval");
        assertThat(get("/v1/namespaces/train/tables?pageSize=1&pageToken=").body())
                .contains("steps");
    }
}
