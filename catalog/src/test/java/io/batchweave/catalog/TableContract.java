package io.batchweave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Catalog} promises of tables that are made, found, listed and dropped. */
public abstract class TableContract extends NamespaceContract {

    protected static TableOperations operations(Table table) {
        return ((HasTableOperations) table).operations();
    }

    protected final Table created() {
        namespaces().createNamespace(NS);
        return catalog().createTable(TABLE, SCHEMA);
    }

    /** A file that a table may name; nothing reads it. */
    protected static DataFile file(Table table, String name) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(table.location() + "/data/" + name + ".parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(2)
                .build();
    }

    protected static List<String> files(Table table) {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            return StreamSupport.stream(tasks.spliterator(), false)
                    .map(task -> task.file().location())
                    .map(path -> path.replaceAll(".*/|\\.parquet", ""))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTableThatWasCreatedIsFound() {
        Table made = created();

        assertThat(catalog().tableExists(TABLE)).isTrue();
        assertThat(catalog().listTables(NS)).containsExactly(TABLE);
        Table found = catalog().loadTable(TABLE);
        assertThat(found.uuid()).isEqualTo(made.uuid());
        assertThat(found.location()).isEqualTo(made.location());
        assertThat(found.schema().asStruct()).isEqualTo(SCHEMA.asStruct());
        assertThat(found.spec().isUnpartitioned()).isTrue();
        assertThat(found.currentSnapshot()).isNull();
        assertThat(found.name()).contains("train.steps");
    }

    @Test
    void aTableIsCreatedAsItIsDescribed() {
        namespaces().createNamespace(NS);
        PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).bucket("step", 16).build();
        SortOrder order = SortOrder.builderFor(SCHEMA).asc("step").build();

        catalog()
                .buildTable(TABLE, SCHEMA)
                .withPartitionSpec(spec)
                .withSortOrder(order)
                .withProperty("first-live-step", "7")
                .withProperties(Map.of("owner", "us"))
                .create();

        Table found = catalog().loadTable(TABLE);
        assertThat(found.spec()).isEqualTo(spec);
        assertThat(found.sortOrder().fields()).isEqualTo(order.fields());
        assertThat(found.properties())
                .containsEntry("first-live-step", "7")
                .containsEntry("owner", "us");
    }

    @Test
    void aTableIsCreatedOnce() {
        Table first = created();

        assertThatThrownBy(() -> catalog().createTable(TABLE, SCHEMA))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("train.steps");
        assertThat(catalog().loadTable(TABLE).uuid()).isEqualTo(first.uuid());
    }

    @Test
    void aTableNeedsItsNamespace() {
        if (can(CatalogAbility.DEMANDS_NAMESPACES)) {
            assertThatThrownBy(() -> catalog().createTable(TABLE, SCHEMA))
                    .isInstanceOf(NoSuchNamespaceException.class)
                    .hasMessageContaining("train");
            assertThat(namespaces().namespaceExists(NS)).isFalse();
        }
    }

    @Test
    void anAbsentTableIsSaidToBe() {
        namespaces().createNamespace(NS);

        assertThat(catalog().tableExists(TABLE)).isFalse();
        assertThatThrownBy(() -> catalog().loadTable(TABLE))
                .isInstanceOf(NoSuchTableException.class)
                .hasMessageContaining("train.steps");
        assertThat(catalog().dropTable(TABLE)).isFalse();
        assertThat(catalog().dropTable(TABLE, false)).isFalse();
    }

    @Test
    void tablesOfOtherNamespacesAreNotListed() {
        created();
        namespaces().createNamespace(OTHER);
        TableIdentifier there = TableIdentifier.of(OTHER, "steps");
        catalog().createTable(there, SCHEMA);
        catalog().createTable(TableIdentifier.of(NS, "events"), SCHEMA);

        assertThat(catalog().listTables(NS))
                .containsExactlyInAnyOrder(TABLE, TableIdentifier.of(NS, "events"));
        assertThat(catalog().listTables(OTHER)).containsExactly(there);
    }

    @Test
    void aDroppedTableIsGone() {
        created();

        assertThat(catalog().dropTable(TABLE, false)).isTrue();

        assertThat(catalog().tableExists(TABLE)).isFalse();
        assertThat(catalog().listTables(NS)).isEmpty();
        assertThatThrownBy(() -> catalog().loadTable(TABLE))
                .isInstanceOf(NoSuchTableException.class);
        assertThat(catalog().dropTable(TABLE)).isFalse();
        assertThat(namespaces().namespaceExists(NS)).isTrue();
    }

    @Test
    void aTableThatIsCreatedAgainIsANewOne() {
        Table first = created();
        first.newAppend().appendFile(file(first, "a")).commit();
        catalog().dropTable(TABLE, false);

        Table second = catalog().createTable(TABLE, SCHEMA);
        assertThat(second.uuid()).isNotEqualTo(first.uuid());
        assertThat(second.currentSnapshot()).isNull();
        second.newAppend().appendFile(file(second, "b")).commit();
        assertThat(files(catalog().loadTable(TABLE))).containsExactly("b");
    }

    @Test
    void aTableThatWasDroppedTakesNoCommit() {
        Table table = created();
        Table held = catalog().loadTable(TABLE);
        assertThat(held.uuid()).isEqualTo(table.uuid());
        catalog().dropTable(TABLE, false);

        assertThatThrownBy(() -> held.newAppend().appendFile(file(held, "a")).commit())
                .isInstanceOf(RuntimeException.class);
        assertThat(catalog().tableExists(TABLE)).isFalse();

        Table again = catalog().createTable(TABLE, SCHEMA);
        assertThatThrownBy(() -> table.updateProperties().set("a", "b").commit())
                .isInstanceOf(RuntimeException.class);
        assertThat(catalog().loadTable(TABLE).uuid()).isEqualTo(again.uuid());
        assertThat(catalog().loadTable(TABLE).properties()).doesNotContainKey("a");
    }

    @Test
    void purgingDeletesTheFilesOfTheTable() {
        Table table = created();
        table.newAppend().appendFile(file(table, "a")).commit();
        String list = table.currentSnapshot().manifestListLocation();
        assertThat(table.io().newInputFile(list).exists()).isTrue();

        assertThat(catalog().dropTable(TABLE, true)).isTrue();

        assertThat(catalog().tableExists(TABLE)).isFalse();
        if (can(CatalogAbility.PURGES)) {
            assertThat(table.io().newInputFile(list).exists()).isFalse();
        }
    }

    @Test
    void droppingWithoutPurgeKeepsTheFiles() {
        Table table = created();
        table.newAppend().appendFile(file(table, "a")).commit();
        String list = table.currentSnapshot().manifestListLocation();

        catalog().dropTable(TABLE, false);

        assertThat(table.io().newInputFile(list).exists()).isTrue();
    }

    @Test
    void metadataTablesAreLoaded() {
        Table table = created();
        table.newAppend().appendFile(file(table, "a")).commit();

        Table snapshots =
                catalog()
                        .loadTable(TableIdentifier.of(Namespace.of("train", "steps"), "snapshots"));

        assertThat(snapshots.schema().findField("snapshot_id")).isNotNull();
        assertThatThrownBy(
                        () ->
                                catalog()
                                        .loadTable(
                                                TableIdentifier.of(
                                                        Namespace.of("train", "steps"), "absent")))
                .isInstanceOf(NoSuchTableException.class);
    }

    @Test
    void renamingMovesATableOrIsRefused() {
        UUID id = created().uuid();
        TableIdentifier to = TableIdentifier.of(NS, "renamed");

        if (can(CatalogAbility.RENAMES)) {
            catalog().renameTable(TABLE, to);
            assertThat(catalog().loadTable(to).uuid()).isEqualTo(id);
            assertThat(catalog().tableExists(TABLE)).isFalse();
        } else {
            assertThatThrownBy(() -> catalog().renameTable(TABLE, to))
                    .hasMessageContaining("Cannot rename table train.steps");
            assertThat(catalog().tableExists(TABLE)).isTrue();
            assertThat(catalog().tableExists(to)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../../etc", "a/b", ".hidden", "a b", "a.b", "_namespace", "%2e"})
    void aTableThatNoFolderMayBeCalledIsRefused(String name) {
        if (can(CatalogAbility.CHECKS_NAMES)) {
            namespaces().createNamespace(NS);
            TableIdentifier bad = TableIdentifier.of(NS, name);

            assertThatThrownBy(() -> catalog().createTable(bad, SCHEMA))
                    .hasMessageMatching("(?s).*(Cannot use|Invalid|Malformed).*");
            assertThatThrownBy(() -> catalog().loadTable(bad)).isInstanceOf(RuntimeException.class);
            assertThat(catalog().listTables(NS)).isEmpty();
        }
    }

    @Test
    void aTableLiesWhereItIsPutOrIsRefused() {
        Table table = created();
        String elsewhere = table.location() + "-elsewhere";
        TableIdentifier other = TableIdentifier.of(NS, "other");

        if (can(CatalogAbility.PLACES_TABLES_ANYWHERE)) {
            catalog().buildTable(other, SCHEMA).withLocation(elsewhere).create();
            assertThat(catalog().loadTable(other).location()).isEqualTo(elsewhere);
        } else {
            assertThatThrownBy(
                            () ->
                                    catalog()
                                            .buildTable(other, SCHEMA)
                                            .withLocation(elsewhere)
                                            .create())
                    .hasMessageContaining("Cannot put table train.other at");
            assertThat(catalog().tableExists(other)).isFalse();
            assertThatThrownBy(() -> table.updateLocation().setLocation(elsewhere).commit())
                    .hasMessageContaining("Cannot put table train.steps at");
        }
    }

    @Test
    void whatWasDroppedCanBeRegisteredAgain() {
        if (can(CatalogAbility.REGISTERS)) {
            Table table = created();
            table.newAppend().appendFile(file(table, "a")).commit();
            String metadata = lastMetadata(table);
            catalog().dropTable(TABLE, false);

            Table again = catalog().registerTable(TABLE, registered(metadata));

            assertThat(again.uuid()).isEqualTo(table.uuid());
            assertThat(files(again)).containsExactly("a");
            assertThatThrownBy(() -> catalog().registerTable(TABLE, lastMetadata(again)))
                    .isInstanceOf(AlreadyExistsException.class);
        }
    }

    /** Where the metadata of a table lies that was dropped when it lay here. */
    protected String registered(String metadata) {
        return metadata;
    }

    private static String lastMetadata(Table table) {
        return ((BaseTable) table).operations().current().metadataFileLocation();
    }

    @Test
    void anotherClientSeesTheSameTable() throws IOException {
        Table table = created();
        Table other = another().loadTable(TABLE);
        table.newAppend().appendFile(file(table, "a")).commit();

        other.refresh();

        assertThat(files(other)).containsExactly("a");
        assertThat(new HashMap<>(other.properties())).isEqualTo(new HashMap<>(table.properties()));
    }
}
