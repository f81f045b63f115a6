package io.batchweave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** What {@code TableOperations.commit} promises, and transactions upon it. */
public abstract class CommitContract extends TableContract {
    private static final int COMMITTERS = 8;

    /** Each of so many commits so often. */
    protected int commitsEach() {
        return 4;
    }

    @Test
    void aTableKeepsItsId() {
        if (can(CatalogAbility.KEEPS_IDS)) {
            Table table = created();
            TableOperations operations = operations(table);
            TableMetadata base = operations.current();
            TableMetadata other =
                    TableMetadata.buildFrom(base).assignUUID(new UUID(0, 1).toString()).build();

            assertThatThrownBy(() -> operations.commit(base, other))
                    .hasMessageContaining("keeps it");
            assertThat(catalog().loadTable(TABLE).uuid()).isEqualTo(table.uuid());
        }
    }

    @Test
    void whatWasCommittedIsSeenAtOnce() {
        Table table = created();

        table.newAppend().appendFile(file(table, "a")).commit();
        table.newAppend().appendFile(file(table, "b")).commit();

        assertThat(files(table)).containsExactly("a", "b");
        assertThat(files(catalog().loadTable(TABLE))).containsExactly("a", "b");
        assertThat(catalog().loadTable(TABLE).history()).hasSize(2);
    }

    @Test
    void aCommitOnAnOldStateIsRefused() {
        if (can(CatalogAbility.REFUSES_STALE_METADATA)) {
            Table table = created();
            TableOperations slow = operations(catalog().loadTable(TABLE));
            TableMetadata base = slow.current();
            table.updateProperties().set("first", "1").commit();

            TableMetadata next = base.replaceProperties(Map.of("second", "2"));
            assertThatThrownBy(() -> slow.commit(base, next))
                    .isInstanceOf(CommitFailedException.class)
                    .hasMessageContaining("train.steps");

            assertThat(slow.refresh().properties()).containsEntry("first", "1");
            assertThat(catalog().loadTable(TABLE).properties()).doesNotContainKey("second");
        }
    }

    @Test
    void aCommitOnWhatIsNotCurrentIsRefused() {
        Table table = created();
        TableOperations operations = operations(table);
        TableMetadata old = operations.current();
        table.updateProperties().set("first", "1").commit();

        TableMetadata next = old.replaceProperties(Map.of("second", "2"));
        if (can(CatalogAbility.REFUSES_STALE_METADATA)) {
            assertThatThrownBy(() -> operations.commit(old, next))
                    .isInstanceOf(CommitFailedException.class);
        }
    }

    @Test
    void committingNothingChangesNothing() {
        TableOperations operations = operations(created());
        TableMetadata current = operations.current();

        operations.commit(current, current);

        assertThat(operations.refresh().metadataFileLocation())
                .isEqualTo(current.metadataFileLocation());
    }

    @Test
    void appendsThatRaceAreBothThere() {
        Table first = created();
        Table second = catalog().loadTable(TABLE);

        first.newAppend().appendFile(file(first, "a")).commit();
        second.newAppend().appendFile(file(second, "b")).commit();

        assertThat(files(catalog().loadTable(TABLE))).containsExactly("a", "b");
    }

    @Test
    void everyKindOfChangeIsKept() {
        Table table = created();
        table.updateSchema().addColumn("rows", Types.IntegerType.get()).commit();
        table.updateSpec().addField("rows").commit();
        table.replaceSortOrder().asc("step").commit();
        table.updateProperties().set("owner", "us").commit();
        table.newAppend().appendFile(unpartitioned(table)).commit();
        table.manageSnapshots().createTag("good", table.currentSnapshot().snapshotId()).commit();

        Table found = catalog().loadTable(TABLE);
        assertThat(found.schema().findField("rows")).isNotNull();
        assertThat(found.spec().fields()).hasSize(1);
        assertThat(found.sortOrder().isSorted()).isTrue();
        assertThat(found.properties()).containsEntry("owner", "us");
        assertThat(found.refs()).containsKeys("good", SnapshotRef.MAIN_BRANCH);
        assertThat(found.uuid()).isEqualTo(table.uuid());
    }

    private static org.apache.iceberg.DataFile unpartitioned(Table table) {
        return org.apache.iceberg.DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/p.parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(2)
                .withPartitionPath("rows=1")
                .build();
    }

    @Test
    void snapshotsExpire() {
        Table table = created();
        table.newAppend().appendFile(file(table, "a")).commit();
        long first = table.currentSnapshot().snapshotId();
        table.newAppend().appendFile(file(table, "b")).commit();

        table.expireSnapshots()
                .expireSnapshotId(first)
                .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                .commit();

        assertThat(catalog().loadTable(TABLE).snapshots()).hasSize(1);
        assertThat(files(catalog().loadTable(TABLE))).containsExactly("a", "b");
    }

    @Test
    void aTransactionIsOneCommit() {
        Table table = created();
        Transaction transaction = table.newTransaction();
        transaction.newAppend().appendFile(file(table, "a")).commit();
        transaction.updateProperties().set("folded-through", "9").commit();

        assertThat(catalog().loadTable(TABLE).currentSnapshot()).isNull();
        transaction.commitTransaction();

        Table found = catalog().loadTable(TABLE);
        assertThat(files(found)).containsExactly("a");
        assertThat(found.properties()).containsEntry("folded-through", "9");
    }

    @Test
    void aTableIsCreatedByATransaction() {
        namespaces().createNamespace(NS);
        Transaction transaction = catalog().buildTable(TABLE, SCHEMA).createTransaction();
        assertThat(catalog().tableExists(TABLE)).isFalse();
        transaction.newAppend().appendFile(file(transaction.table(), "a")).commit();

        transaction.commitTransaction();

        assertThat(files(catalog().loadTable(TABLE))).containsExactly("a");
    }

    @Test
    void ofTwoThatCreateATableOneDoes() {
        namespaces().createNamespace(NS);
        Transaction late = catalog().buildTable(TABLE, SCHEMA).createTransaction();
        Table first = catalog().createTable(TABLE, SCHEMA);

        assertThatThrownBy(late::commitTransaction)
                .isInstanceOfAny(AlreadyExistsException.class, CommitFailedException.class);
        assertThat(catalog().loadTable(TABLE).uuid()).isEqualTo(first.uuid());
    }

    @Test
    void aTableIsReplacedByATransaction() {
        Table table = created();
        table.newAppend().appendFile(file(table, "a")).commit();
        Schema other = new Schema(Types.NestedField.required(1, "version", Types.LongType.get()));

        Transaction transaction = catalog().buildTable(TABLE, other).replaceTransaction();
        transaction.newAppend().appendFile(file(transaction.table(), "b")).commit();
        transaction.commitTransaction();

        Table found = catalog().loadTable(TABLE);
        assertThat(found.uuid()).isEqualTo(table.uuid());
        assertThat(files(found)).containsExactly("b");
        assertThat(found.schema().findField("version")).isNotNull();
        assertThat(found.snapshots()).hasSize(2);
    }

    @Test
    void whatIsAbsentIsReplacedOnlyIfItMayBeCreated() {
        namespaces().createNamespace(NS);

        assertThatThrownBy(() -> catalog().buildTable(TABLE, SCHEMA).replaceTransaction())
                .isInstanceOf(NoSuchTableException.class);
        catalog().buildTable(TABLE, SCHEMA).createOrReplaceTransaction().commitTransaction();
        catalog().buildTable(TABLE, SCHEMA).createOrReplaceTransaction().commitTransaction();

        assertThat(catalog().tableExists(TABLE)).isTrue();
    }

    @Test
    void oldMetadataGoesIfThatIsWanted() {
        if (!can(CatalogAbility.DELETES_OLD_METADATA)) {
            return;
        }
        Table table = created();
        String first = operations(table).current().metadataFileLocation();
        table.updateProperties()
                .set(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true")
                .set(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "2")
                .commit();
        for (int i = 0; i < 5; i++) {
            table.updateProperties().set("n", "" + i).commit();
        }

        assertThat(table.io().newInputFile(first).exists()).isFalse();
        assertThat(operations(table).current().previousFiles())
                .allSatisfy(
                        old -> assertThat(table.io().newInputFile(old.file()).exists()).isTrue());
        assertThat(catalog().loadTable(TABLE).properties()).containsEntry("n", "4");
    }

    @Test
    void committersWhoRaceLoseNoCommit() throws Exception {
        Table table = created();
        table.updateProperties()
                .set(TableProperties.COMMIT_NUM_RETRIES, "1000")
                .set(TableProperties.COMMIT_MIN_RETRY_WAIT_MS, "1")
                .set(TableProperties.COMMIT_MAX_RETRY_WAIT_MS, "50")
                .commit();
        List<Callable<Void>> committers = new ArrayList<>();
        for (int committer = 0; committer < COMMITTERS; committer++) {
            String name = "c" + committer;
            committers.add(() -> commitAll(another(), name));
        }

        ExecutorService threads = Executors.newFixedThreadPool(COMMITTERS);
        try {
            for (Future<Void> done : threads.invokeAll(committers)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }

        List<String> all =
                IntStream.range(0, COMMITTERS)
                        .boxed()
                        .flatMap(
                                c ->
                                        IntStream.range(0, commitsEach())
                                                .mapToObj(i -> "c" + c + "-" + i))
                        .sorted()
                        .toList();
        Table found = catalog().loadTable(TABLE);
        assertThat(files(found)).isEqualTo(all);
        assertThat(found.history()).hasSize(all.size());
        assertThat(found.properties()).containsKeys("c0", "c7");
    }

    private Void commitAll(Catalog catalog, String name) {
        Table table = catalog.loadTable(TABLE);
        for (int i = 0; i < commitsEach(); i++) {
            table.newAppend().appendFile(file(table, name + "-" + i)).commit();
        }
        UpdateProperties last = table.updateProperties().set(name, "done");
        last.commit();
        return null;
    }

    @Test
    void anotherClientsCommitIsMet() throws IOException {
        Table table = created();
        Table other = another().loadTable(TABLE);
        other.updateProperties().set("theirs", "1").commit();

        table.updateProperties().set("ours", "2").commit();

        assertThat(catalog().loadTable(TABLE).properties())
                .containsEntry("theirs", "1")
                .containsEntry("ours", "2");
    }
}
