package io.batchweave.catalog;

import io.batchweave.catalog.register.Register;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** What lies in the folders of a warehouse. */
final class Warehouse {
    /** No table and no dataset can have this name. */
    private static final String NAMESPACE = "_namespace";

    static final String METADATA = "metadata";

    /** What a table's folder holds; a dataset's holds more. */
    private static final Set<String> OF_TABLES = Set.of(METADATA, "data");

    private final ObjectStore store;
    private final World world;

    Warehouse(ObjectStore store, World world) {
        this.store = store;
        this.world = world;
    }

    ObjectStore store() {
        return store;
    }

    World world() {
        return world;
    }

    Register table(TableIdentifier table) {
        return new Register(store, world, metadata(table));
    }

    String metadata(TableIdentifier table) {
        return CatalogNames.folder(table) + "/" + METADATA;
    }

    Register namespace(Namespace namespace) {
        return new Register(store, world, CatalogNames.folder(namespace) + "/" + NAMESPACE);
    }

    /** All tables of a namespace, whether it exists or not. */
    List<TableIdentifier> tables(Namespace namespace) {
        return folders(namespace).stream()
                .filter(CatalogNames::isName)
                .map(name -> TableIdentifier.of(namespace, name))
                .filter(table -> table(table).exists())
                .toList();
    }

    /** All folders that may be namespaces. */
    List<Namespace> candidates() {
        return store.list("", "").folders().stream()
                .filter(CatalogNames::isName)
                .map(Namespace::of)
                .toList();
    }

    /** Whether it was created, or something lies there that was put there without asking. */
    boolean exists(Namespace namespace) {
        return namespace(namespace).exists() || contents(namespace).findAny().isPresent();
    }

    /** The names of tables and datasets. */
    Stream<String> contents(Namespace namespace) {
        return folders(namespace).stream()
                .filter(CatalogNames::isName)
                .filter(
                        name ->
                                holdsMoreThanTables(CatalogNames.folder(namespace) + "/" + name)
                                        || table(TableIdentifier.of(namespace, name)).exists());
    }

    /** Whether something lies in a table's folder that is no table's, such as a dataset. */
    boolean holdsMoreThanTables(String folder) {
        Listing listing = store.list(folder, "");
        return !listing.objects().isEmpty() || !OF_TABLES.containsAll(listing.folders());
    }

    private List<String> folders(Namespace namespace) {
        return store.list(CatalogNames.folder(namespace), "").folders();
    }
}
