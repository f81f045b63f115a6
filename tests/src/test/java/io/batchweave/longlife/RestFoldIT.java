package io.batchweave.longlife;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.files.ObjectStoreFileIO;
import io.batchweave.catalog.rest.RestServer;
import io.batchweave.catalog.rest.RestSettings;
import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.steps.FoldWalk;
import io.batchweave.steps.Outcome;
import io.batchweave.steps.Outcome.Answer;
import io.batchweave.steps.Outcome.Done;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fold through Iceberg's REST client and our server, into a catalog that is a store: whatever
 * becomes of a commit, each row is in the view once.
 *
 * <p>The faults come between client and server, for there they are: a connection breaks, a gateway
 * answers for a server that it did not reach or did not wait for. So all that the client makes of
 * an answer takes part, and its hidden retries, which are refused on account of themselves. Behind
 * the server a commit that is told to have failed would be offered again by the server itself; that
 * of catalogs which are used without one, the other walks tell.
 */
class RestFoldIT {
    @TempDir private Path folder;

    @TestFactory
    Stream<DynamicTest> everyRowIsThereOnceHoweverACommitComesOut() {
        return Outcome.all().stream()
                .map(outcome -> DynamicTest.dynamicTest(outcome.toString(), () -> walk(outcome)));
    }

    private void walk(Outcome outcome) throws IOException {
        for (int commit = 0; commit < FoldWalk.COMMITS; commit++) {
            walk(outcome, commit, 500, Optional.empty());
        }
    }

    /** Each of them may come from a gateway, whatever the server does. */
    @ParameterizedTest
    @ValueSource(ints = {408, 429, 502, 503, 504})
    void everyErrorOfAGatewayLeavesItOpenWhetherACommitIsIn(int status) throws IOException {
        for (Done done : Done.values()) {
            for (int commit = 0; commit < 2; commit++) {
                walk(new Outcome(done, Answer.ERROR, 0), commit, status, Optional.empty());
            }
        }
    }

    /** The client tries again by itself, and is then told that the commit failed. */
    @ParameterizedTest
    @EnumSource(Done.class)
    void aHiddenRetryThatIsRefusedOnAccountOfItselfAddsNothingAgain(Done done) throws IOException {
        for (int commit : IntStream.range(0, 2).toArray()) {
            walk(new Outcome(done, Answer.ERROR, 0), commit, 503, Optional.of("1"));
        }
    }

    private void walk(Outcome outcome, int commit, int errorStatus, Optional<String> retryAfter)
            throws IOException {
        String warehouse =
                folder.resolve(
                                "%s-%d-%d"
                                        .formatted(outcome, commit, errorStatus)
                                        .replaceAll("\\W", "-"))
                        .toString();
        try (ObjectStoreCatalog served = new ObjectStoreCatalog()) {
            served.initialize("served", Map.of(CatalogProperties.WAREHOUSE_LOCATION, warehouse));
            RestSettings settings = RestSettings.loopback(0, Access.READ_AND_WRITE);
            try (RestServer server = RestServer.start(served, settings);
                    FaultyGateway gateway = new FaultyGateway(server.uri());
                    RESTCatalog client = client(gateway, warehouse)) {
                gateway.errors(errorStatus, retryAfter);

                FoldWalk.walk(client, outcome, commit, gateway::always);
            }
        }
    }

    private static RESTCatalog client(FaultyGateway gateway, String warehouse) {
        RESTCatalog client = new RESTCatalog();
        client.initialize(
                "client",
                Map.of(
                        CatalogProperties.URI,
                        gateway.uri().toString(),
                        CatalogProperties.FILE_IO_IMPL,
                        ObjectStoreFileIO.class.getName(),
                        CatalogProperties.WAREHOUSE_LOCATION,
                        warehouse,
                        // So a look that fails twice fails.
                        "rest.client.max-retries",
                        "1",
                        "rest-metrics-reporting-enabled",
                        "false"));
        return client;
    }
}
