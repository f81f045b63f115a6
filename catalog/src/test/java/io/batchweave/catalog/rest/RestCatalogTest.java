package io.batchweave.catalog.rest;

import io.batchweave.catalog.CatalogAbility;
import io.batchweave.catalog.CommitContract;
import io.batchweave.catalog.Dropped;
import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.files.ObjectStoreFileIO;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Iceberg's own REST client, through our server, to our catalog on a local disk. */
class RestCatalogTest extends CommitContract {
    private static final String TOKEN = "s3cret";

    @TempDir private Path folder;
    private ObjectStoreCatalog served;
    private RestServer server;

    @Override
    protected Catalog open() {
        served = new ObjectStoreCatalog();
        served.initialize("served", Map.of(CatalogProperties.WAREHOUSE_LOCATION, warehouse()));
        server =
                RestServer.start(
                        served,
                        RestSettings.guarded(
                                "127.0.0.1", 0, RestSettings.Access.READ_AND_WRITE, TOKEN));
        return another();
    }

    @AfterEach
    void stop() throws IOException {
        // Before the server, which otherwise waits for its connections.
        ((Closeable) catalog()).close();
        server.close();
        served.close();
    }

    private String warehouse() {
        return folder.resolve("warehouse").toString();
    }

    @Override
    protected Catalog another() {
        RESTCatalog client = new RESTCatalog();
        client.initialize(
                "client",
                Map.of(
                        CatalogProperties.URI,
                        server.uri().toString(),
                        CatalogProperties.FILE_IO_IMPL,
                        ObjectStoreFileIO.class.getName(),
                        CatalogProperties.WAREHOUSE_LOCATION,
                        warehouse(),
                        "token",
                        TOKEN));
        return client;
    }

    @Override
    protected Set<CatalogAbility> abilities() {
        return EnumSet.complementOf(
                EnumSet.of(
                        CatalogAbility.RENAMES,
                        CatalogAbility.PLACES_TABLES_ANYWHERE,
                        CatalogAbility.REFUSES_STALE_METADATA));
    }

    @Override
    protected String registered(String metadata) {
        return Dropped.metadata(metadata);
    }
}
