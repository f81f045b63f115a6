package io.batchweave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link SupportsNamespaces} promises, of any catalog. */
public abstract class NamespaceContract {
    protected static final Namespace NS = Namespace.of("train");
    protected static final Namespace OTHER = Namespace.of("other");
    protected static final TableIdentifier TABLE = TableIdentifier.of(NS, "steps");

    protected static final Schema SCHEMA =
            new Schema(
                    Types.NestedField.required(1, "step", Types.LongType.get(), "from 0"),
                    Types.NestedField.optional(2, "producer", Types.StringType.get()));

    private Catalog catalog;

    /** An empty catalog, which is closed after the test if it can be. */
    protected abstract Catalog open() throws IOException;

    /** Another way into the same catalog, as another process has. */
    protected abstract Catalog another() throws IOException;

    /** What the catalog can do besides. */
    protected abstract Set<CatalogAbility> abilities();

    @BeforeEach
    final void begin() throws IOException {
        catalog = open();
    }

    @AfterEach
    final void end() throws IOException {
        if (catalog instanceof Closeable closeable) {
            closeable.close();
        }
    }

    /** Iceberg asks of maps whether null is in them, which those of the JDK refuse to say. */
    private static Map<String, String> properties(String... namesAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }

    protected final boolean can(CatalogAbility ability) {
        return abilities().contains(ability);
    }

    protected final Catalog catalog() {
        return catalog;
    }

    protected final SupportsNamespaces namespaces() {
        return (SupportsNamespaces) catalog;
    }

    @Test
    void nothingIsThereAtFirst() {
        assertThat(namespaces().listNamespaces()).doesNotContain(NS, OTHER);
        assertThat(namespaces().namespaceExists(NS)).isFalse();
    }

    @Test
    void aNamespaceThatWasCreatedExists() {
        namespaces().createNamespace(NS);

        assertThat(namespaces().namespaceExists(NS)).isTrue();
        assertThat(namespaces().listNamespaces()).contains(NS).doesNotContain(OTHER);
        assertThat(namespaces().loadNamespaceMetadata(NS)).isNotNull();
        assertThat(catalog().listTables(NS)).isEmpty();
    }

    @Test
    void twoNamespacesAreListed() {
        namespaces().createNamespace(NS);
        namespaces().createNamespace(OTHER);

        assertThat(namespaces().listNamespaces()).contains(NS, OTHER);
    }

    @Test
    void aNamespaceIsCreatedOnce() {
        namespaces().createNamespace(NS, properties("owner", "first"));

        assertThatThrownBy(() -> namespaces().createNamespace(NS, properties("owner", "second")))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("train");
        assertThat(namespaces().loadNamespaceMetadata(NS)).containsEntry("owner", "first");
    }

    @Test
    void propertiesAreKept() {
        namespaces().createNamespace(NS, properties("owner", "us", "quoted \"é\"", "\\ \n {}"));

        assertThat(namespaces().loadNamespaceMetadata(NS))
                .containsEntry("owner", "us")
                .containsEntry("quoted \"é\"", "\\ \n {}");
    }

    @Test
    void propertiesAreAddedAndReplaced() {
        namespaces().createNamespace(NS, properties("owner", "us", "kept", "1"));

        assertThat(namespaces().setProperties(NS, properties("owner", "them", "more", "2")))
                .isTrue();

        assertThat(namespaces().loadNamespaceMetadata(NS))
                .containsEntry("owner", "them")
                .containsEntry("kept", "1")
                .containsEntry("more", "2");
    }

    @Test
    void propertiesAreRemoved() {
        namespaces().createNamespace(NS, properties("owner", "us", "kept", "1"));

        // What is returned is not looked at: Iceberg's REST client always says no.
        namespaces().removeProperties(NS, new HashSet<>(Set.of("owner", "never-there")));

        assertThat(namespaces().loadNamespaceMetadata(NS))
                .containsEntry("kept", "1")
                .doesNotContainKey("owner");
    }

    @Test
    void anAbsentNamespaceIsSaidToBe() {
        List<Runnable> calls =
                List.of(
                        () -> namespaces().loadNamespaceMetadata(NS),
                        () -> namespaces().setProperties(NS, properties("a", "b")),
                        () -> namespaces().removeProperties(NS, new HashSet<>(Set.of("a"))),
                        () -> namespaces().listNamespaces(NS),
                        () -> catalog().listTables(NS));

        assertThat(calls)
                .allSatisfy(
                        call ->
                                assertThatThrownBy(call::run)
                                        .isInstanceOf(NoSuchNamespaceException.class)
                                        .hasMessageContaining("Namespace does not exist: train"));
    }

    @Test
    void droppingTellsWhetherItWasThere() {
        namespaces().createNamespace(NS);

        assertThat(namespaces().dropNamespace(NS)).isTrue();
        assertThat(namespaces().namespaceExists(NS)).isFalse();
        assertThat(namespaces().listNamespaces()).doesNotContain(NS);
        assertThat(namespaces().dropNamespace(NS)).isFalse();
    }

    @Test
    void aDroppedNamespaceBeginsAnew() {
        namespaces().createNamespace(NS, properties("owner", "us"));
        namespaces().dropNamespace(NS);
        namespaces().createNamespace(NS, properties("age", "1"));

        assertThat(namespaces().loadNamespaceMetadata(NS))
                .containsEntry("age", "1")
                .doesNotContainKey("owner");
    }

    @Test
    void aNamespaceWithATableIsKept() {
        namespaces().createNamespace(NS);
        catalog().createTable(TABLE, SCHEMA);

        assertThatThrownBy(() -> namespaces().dropNamespace(NS))
                .isInstanceOf(NamespaceNotEmptyException.class);
        assertThat(catalog().tableExists(TABLE)).isTrue();

        catalog().dropTable(TABLE);
        assertThat(namespaces().dropNamespace(NS)).isTrue();
    }

    @Test
    void anotherClientSeesTheSame() throws IOException {
        namespaces().createNamespace(NS, properties("owner", "us"));

        Catalog other = another();
        assertThat(((SupportsNamespaces) other).loadNamespaceMetadata(NS))
                .containsEntry("owner", "us");
        ((SupportsNamespaces) other).setProperties(NS, properties("owner", "them"));
        assertThat(namespaces().loadNamespaceMetadata(NS)).containsEntry("owner", "them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "a/b", "../a", ".hidden", "a b", "", "_namespace", "é", "a\\b"})
    void aNameThatNoFolderMayHaveIsRefused(String name) {
        if (can(CatalogAbility.CHECKS_NAMES)) {
            Namespace bad = Namespace.of(name);
            assertThatThrownBy(() -> namespaces().createNamespace(bad))
                    .isInstanceOf(RuntimeException.class)
                    .isNotInstanceOf(NullPointerException.class)
                    .hasMessageMatching("(?s).*(Cannot|Invalid|Malformed|invalid).*");
            assertThat(namespaces().listNamespaces()).doesNotContain(bad);
        }
    }

    @Test
    void namespacesHaveOneLevel() {
        if (can(CatalogAbility.CHECKS_NAMES)) {
            assertThatThrownBy(() -> namespaces().createNamespace(Namespace.of("a", "b")))
                    .hasMessageContaining("one");
            assertThat(namespaces().namespaceExists(Namespace.of("a", "b"))).isFalse();
        }
    }
}
