package io.batchweave.catalog.rest;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;

/** The requests that are answered, each by Iceberg's handler of it. */
final class Routes {
    private static final Endpoint CONFIG = Endpoint.create("GET", "/v1/config");

    private final Catalog catalog;
    private final SupportsNamespaces namespaces;
    private final List<Route> routes;

    Routes(Catalog catalog) {
        if (!(catalog instanceof SupportsNamespaces both)) {
            throw new ValidationException(
                    "Cannot serve catalog %s: it has no namespaces", catalog.name());
        }
        this.catalog = catalog;
        this.namespaces = both;
        this.routes =
                List.of(
                        Route.read(CONFIG, call -> config()),
                        Route.read(Endpoint.V1_LIST_NAMESPACES, this::listNamespaces),
                        Route.write(Endpoint.V1_CREATE_NAMESPACE, this::createNamespace),
                        Route.read(Endpoint.V1_LOAD_NAMESPACE, this::loadNamespace),
                        Route.look(Endpoint.V1_NAMESPACE_EXISTS, this::namespaceExists),
                        Route.write(Endpoint.V1_UPDATE_NAMESPACE, this::updateNamespace),
                        Route.change(Endpoint.V1_DELETE_NAMESPACE, this::dropNamespace),
                        Route.read(Endpoint.V1_LIST_TABLES, this::listTables),
                        Route.write(Endpoint.V1_CREATE_TABLE, this::createTable),
                        Route.write(Endpoint.V1_REGISTER_TABLE, this::registerTable),
                        Route.read(Endpoint.V1_LOAD_TABLE, this::loadTable),
                        Route.look(Endpoint.V1_TABLE_EXISTS, this::tableExists),
                        Route.write(Endpoint.V1_UPDATE_TABLE, this::updateTable),
                        Route.change(Endpoint.V1_DELETE_TABLE, this::dropTable),
                        Route.change(Endpoint.V1_RENAME_TABLE, this::renameTable),
                        // Clients report what they read; nobody here counts it.
                        Route.look(Endpoint.V1_REPORT_METRICS, call -> Optional.empty()));
    }

    List<Route> all() {
        return routes;
    }

    private ConfigResponse config() {
        return ConfigResponse.builder()
                .withEndpoints(
                        routes.stream()
                                .map(Route::endpoint)
                                .filter(endpoint -> !endpoint.equals(CONFIG))
                                .toList())
                .build();
    }

    private Object listNamespaces(Call call) {
        Namespace parent =
                call.parameter("parent")
                        .map(RESTUtil::namespaceFromQueryParam)
                        .orElse(Namespace.empty());
        Optional<String> size = call.number("pageSize", 1);
        return size.isPresent()
                ? CatalogHandlers.listNamespaces(namespaces, parent, pageToken(call), size.get())
                : CatalogHandlers.listNamespaces(namespaces, parent);
    }

    /** Tokens are numbers, as Iceberg's handlers give them; the first one is empty. */
    private static String pageToken(Call call) {
        return call.number("pageToken", 0).orElse("");
    }

    private Object createNamespace(Call call) {
        CreateNamespaceRequest request = call.request(CreateNamespaceRequest.class);
        for (String level : request.namespace().levels()) {
            Call.demandName(level);
        }
        return CatalogHandlers.createNamespace(namespaces, request);
    }

    private Object loadNamespace(Call call) {
        return CatalogHandlers.loadNamespace(namespaces, call.namespace());
    }

    private Optional<Object> namespaceExists(Call call) {
        CatalogHandlers.namespaceExists(namespaces, call.namespace());
        return Optional.empty();
    }

    private Object updateNamespace(Call call) {
        return CatalogHandlers.updateNamespaceProperties(
                namespaces, call.namespace(), call.request(UpdateNamespacePropertiesRequest.class));
    }

    private Optional<Object> dropNamespace(Call call) {
        CatalogHandlers.dropNamespace(namespaces, call.namespace());
        return Optional.empty();
    }

    private Object listTables(Call call) {
        Optional<String> size = call.number("pageSize", 1);
        return size.isPresent()
                ? CatalogHandlers.listTables(catalog, call.namespace(), pageToken(call), size.get())
                : CatalogHandlers.listTables(catalog, call.namespace());
    }

    private LoadTableResponse createTable(Call call) {
        CreateTableRequest request = call.request(CreateTableRequest.class);
        Call.demandName(request.name());
        return request.stageCreate()
                ? CatalogHandlers.stageTableCreate(catalog, call.namespace(), request)
                : CatalogHandlers.createTable(catalog, call.namespace(), request);
    }

    private LoadTableResponse registerTable(Call call) {
        RegisterTableRequest request = call.request(RegisterTableRequest.class);
        Call.demandName(request.name());
        return CatalogHandlers.registerTable(catalog, call.namespace(), request);
    }

    private LoadTableResponse loadTable(Call call) {
        SnapshotMode mode =
                SnapshotMode.valueOf(
                        call.parameter("snapshots").orElse("all").toUpperCase(Locale.ROOT));
        return CatalogHandlers.loadTable(catalog, call.table(), mode);
    }

    private Optional<Object> tableExists(Call call) {
        CatalogHandlers.tableExists(catalog, call.table());
        return Optional.empty();
    }

    private LoadTableResponse updateTable(Call call) {
        return CatalogHandlers.updateTable(
                catalog, call.table(), call.request(UpdateTableRequest.class));
    }

    private Optional<Object> dropTable(Call call) {
        if (call.parameter("purgeRequested").map(Boolean::parseBoolean).orElse(false)) {
            CatalogHandlers.purgeTable(catalog, call.table());
        } else {
            CatalogHandlers.dropTable(catalog, call.table());
        }
        return Optional.empty();
    }

    private Optional<Object> renameTable(Call call) {
        RenameTableRequest request = call.request(RenameTableRequest.class);
        Call.demandName(request.destination().name());
        CatalogHandlers.renameTable(catalog, request);
        return Optional.empty();
    }
}
