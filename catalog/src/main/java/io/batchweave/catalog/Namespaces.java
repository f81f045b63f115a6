package io.batchweave.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.catalog.register.Change;
import io.batchweave.catalog.register.Register;
import io.batchweave.catalog.register.Version;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.world.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;

/** Namespaces of one level. One exists if it was created, or if a dataset or a table lies in it. */
final class Namespaces implements SupportsNamespaces {
    private static final Duration TIME_MAX = Duration.ofMinutes(1);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROPERTIES = "properties";
    private static final int NAMED = 5;

    private final Warehouse warehouse;
    private final Runnable beforeFirst;

    Namespaces(Warehouse warehouse, Runnable beforeFirst) {
        this.warehouse = warehouse;
        this.beforeFirst = beforeFirst;
    }

    @Override
    public void createNamespace(Namespace namespace, Map<String, String> properties) {
        CatalogNames.demand(namespace);
        if (warehouse.exists(namespace)) {
            throw exists(namespace);
        }
        beforeFirst.run();
        Change change = warehouse.namespace(namespace).begin(text(properties));
        if (change instanceof Change.Lost) {
            throw exists(namespace);
        }
        demandKnown(namespace, change);
    }

    private static AlreadyExistsException exists(Namespace namespace) {
        return new AlreadyExistsException("Cannot create namespace %s: it exists", namespace);
    }

    private static void demandKnown(Namespace namespace, Change change) {
        if (change instanceof Change.Unknown unknown) {
            throw new UnavailableException(
                    "Cannot tell whether namespace %s was changed: %s; look, and try again"
                            .formatted(namespace, unknown.why()),
                    unknown.cause());
        }
    }

    @Override
    public List<Namespace> listNamespaces(Namespace parent) {
        if (parent.isEmpty()) {
            return warehouse.candidates().stream().filter(warehouse::exists).toList();
        }
        demand(parent);
        // Iceberg's handlers ask a list whether it holds null, which others do not like.
        return Collections.emptyList();
    }

    /** Refuses a namespace that does not exist. */
    void demand(Namespace namespace) {
        if (!namespaceExists(namespace)) {
            throw absent(namespace);
        }
    }

    private static NoSuchNamespaceException absent(Namespace namespace) {
        return new NoSuchNamespaceException("Namespace does not exist: %s", namespace);
    }

    @Override
    public boolean namespaceExists(Namespace namespace) {
        return CatalogNames.isNamespace(namespace) && warehouse.exists(namespace);
    }

    @Override
    public Map<String, String> loadNamespaceMetadata(Namespace namespace) {
        if (!CatalogNames.isNamespace(namespace)) {
            throw absent(namespace);
        }
        return properties(namespace, warehouse.namespace(namespace).current());
    }

    private Map<String, String> properties(Namespace namespace, Optional<Version> current) {
        if (current.isPresent()) {
            return properties(current.get());
        }
        demand(namespace);
        return Collections.emptyMap();
    }

    @Override
    public boolean dropNamespace(Namespace namespace) {
        if (!namespaceExists(namespace)) {
            return false;
        }
        List<String> contents = warehouse.contents(namespace).limit(NAMED).toList();
        if (!contents.isEmpty()) {
            throw new NamespaceNotEmptyException(
                    "Cannot drop namespace %s: it holds %s; drop what it holds first",
                    namespace, String.join(", ", contents));
        }
        Register register = warehouse.namespace(namespace);
        boolean dropped = register.drop();
        register.tidyDropped();
        return dropped;
    }

    @Override
    public boolean setProperties(Namespace namespace, Map<String, String> properties) {
        return changed(
                namespace,
                all -> {
                    all.putAll(properties);
                    return true;
                });
    }

    @Override
    public boolean removeProperties(Namespace namespace, Set<String> names) {
        return changed(namespace, all -> removed(all, names));
    }

    private static boolean removed(Map<String, String> all, Collection<String> names) {
        return all.keySet().removeAll(names);
    }

    /** Changes what is there by {@code change}, anew whenever another change came first. */
    private boolean changed(Namespace namespace, Predicate<Map<String, String>> change) {
        if (!CatalogNames.isNamespace(namespace)) {
            throw absent(namespace);
        }
        Register register = warehouse.namespace(namespace);
        Deadline deadline = warehouse.world().deadline(TIME_MAX);
        do {
            Optional<Version> current = register.current();
            Map<String, String> properties = new HashMap<>(properties(namespace, current));
            if (!change.test(properties)) {
                return false;
            }
            String text = text(properties);
            Change outcome =
                    current.isPresent()
                            ? register.change(current.get(), text)
                            : register.begin(text);
            demandKnown(namespace, outcome);
            if (outcome instanceof Change.Made) {
                register.tidy(1);
                return true;
            }
        } while (deadline.remains());
        throw new UnavailableException(
                "Cannot change namespace %s: others kept changing it; try again"
                        .formatted(namespace));
    }

    private static String text(Map<String, String> properties) {
        try {
            return JSON.writeValueAsString(Map.of(PROPERTIES, new TreeMap<>(properties)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot write properties: " + e.getMessage(), e);
        }
    }

    private Map<String, String> properties(Version version) {
        try {
            // Iceberg asks whether null is in it, which an immutable map of the JDK refuses to say.
            return Collections.unmodifiableMap(
                    JSON.readValue(
                                    version.text(),
                                    new TypeReference<Map<String, HashMap<String, String>>>() {})
                            .getOrDefault(PROPERTIES, new HashMap<>()));
        } catch (JsonProcessingException e) {
            throw new CorruptException(
                    "Cannot read %s: it does not hold the properties of a namespace (%s)"
                            .formatted(
                                    warehouse.store().nameOf(version.key()),
                                    e.getOriginalMessage()),
                    e);
        }
    }
}
