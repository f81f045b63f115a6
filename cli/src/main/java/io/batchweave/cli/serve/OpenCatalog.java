package io.batchweave.cli.serve;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.catalog.rest.RestServer;
import io.batchweave.catalog.rest.RestSettings;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.DatasetName;
import io.batchweave.steps.Fold;
import io.batchweave.steps.FoldedTables;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.ServiceFailureException;
import org.apache.iceberg.exceptions.ValidationException;

/** A catalog that is open. */
public final class OpenCatalog implements AutoCloseable {
    private static final String NAME = "served";
    private static final String CONNECT_MILLIS_MAX = "10000";
    private static final String ANSWER_MILLIS_MAX = "60000";

    private final Catalog catalog;

    private OpenCatalog(Catalog catalog) {
        this.catalog = catalog;
    }

    /** That of a warehouse, whose store is not closed with it. */
    public static OpenCatalog of(ObjectStore store, World world) {
        return new OpenCatalog(new ObjectStoreCatalog(store, world));
    }

    /**
     * Any other.
     *
     * @param properties as Iceberg knows them: {@code type} or {@code catalog-impl}, {@code uri},
     *     {@code warehouse}, ...; they may hold secrets
     * @throws InvalidRequestException if no catalog can be opened by them
     * @throws UnavailableException if the catalog does not answer
     */
    public static OpenCatalog of(Map<String, String> properties) {
        try {
            return new OpenCatalog(
                    CatalogUtil.buildIcebergCatalog(
                            NAME, limited(properties), new Configuration()));
        } catch (BatchWeaveException e) {
            throw e;
        } catch (RuntimeException e) {
            if (isUnanswered(e)) {
                throw new UnavailableException(
                        "Cannot open the catalog that the properties describe: it does not answer (%s); try later, or mend its address"
                                .formatted(firstSentence(e)),
                        e);
            }
            throw new InvalidRequestException(
                    "Cannot open the catalog that the properties describe: %s; see Iceberg's documentation of it"
                            .formatted(firstSentence(e)),
                    e);
        }
    }

    /** A server that never answers is waited for without end by default. */
    private static Map<String, String> limited(Map<String, String> properties) {
        Map<String, String> limited = new HashMap<>(properties);
        limited.putIfAbsent("rest.client.connection-timeout-ms", CONNECT_MILLIS_MAX);
        limited.putIfAbsent("rest.client.socket-timeout-ms", ANSWER_MILLIS_MAX);
        return limited;
    }

    private static boolean isUnanswered(Throwable e) {
        return e instanceof IOException
                || e instanceof ServiceFailureException
                || (e.getCause() != null && e.getCause() != e && isUnanswered(e.getCause()));
    }

    /** Iceberg's messages go on with class names and stacks. */
    private static String firstSentence(RuntimeException e) {
        return Optional.ofNullable(e.getMessage())
                .map(message -> message.lines().findFirst().orElse(""))
                .map(line -> line.replaceAll("\\s*\\[.*", ""))
                .orElse(e.getClass().getSimpleName());
    }

    /** Starts to serve it. */
    public RestServer serve(RestSettings settings) {
        try {
            return RestServer.start(catalog, settings);
        } catch (ValidationException e) {
            throw new InvalidRequestException(e.getMessage(), e);
        }
    }

    /** The fold of a log into it. */
    public Fold fold(Log log) {
        return Fold.of(log, catalog);
    }

    /** The tables that folds of a dataset have made in it. */
    public FoldedTables tables(DatasetName dataset, World world) {
        return new FoldedTables(dataset, catalog, world);
    }

    @Override
    public void close() {
        if (catalog instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new UnavailableException("Cannot close the catalog: " + e.getMessage(), e);
            }
        }
    }
}
