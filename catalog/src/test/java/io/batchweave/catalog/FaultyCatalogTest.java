package io.batchweave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.Listing;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits and drops on a store that loses requests and answers. */
class FaultyCatalogTest {
    private final World world = new HandClock(Instant.EPOCH).world(3);
    private final MemoryStore store = new MemoryStore(world);
    private final ObjectStoreCatalog calm = new ObjectStoreCatalog(store, world);

    @BeforeEach
    void create() {
        calm.createNamespace(NamespaceContract.NS);
        calm.createTable(NamespaceContract.TABLE, NamespaceContract.SCHEMA);
    }

    private Table through(FaultPlan plan) {
        return new ObjectStoreCatalog(new FaultyStore(store, plan), world)
                .loadTable(NamespaceContract.TABLE);
    }

    private Table table() {
        return calm.loadTable(NamespaceContract.TABLE);
    }

    /** Sets a property by one commit, which Iceberg does not repeat. */
    private static void set(Table table, String name, String value) {
        TableOperations operations = TableContract.operations(table);
        TableMetadata base = operations.current();
        Map<String, String> properties = new HashMap<>(base.properties());
        properties.put(name, value);
        operations.commit(base, base.replaceProperties(properties));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void aCommitIsInThoughItsAnswerIsLost(Fault fault) {
        Table table = through(new FaultPlan.Script().next(Kind.CREATE, fault));

        set(table, "a", "1");
        set(table, "b", "2");

        assertThat(table().properties()).containsEntry("a", "1").containsEntry("b", "2");
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"NONE", "REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void aCommitThatCameSecondIsKnownToHaveFailed(Fault fault) {
        Table slow = through(new FaultPlan.Script().next(Kind.CREATE, fault));
        assertThat(slow.properties()).doesNotContainKey("a");
        set(table(), "a", "1");

        assertThatThrownBy(() -> set(slow, "b", "2")).isInstanceOf(CommitFailedException.class);
        assertThat(table().properties()).containsEntry("a", "1").doesNotContainKey("b");
    }

    @Test
    void onlyWhatCannotBeLearnedIsUnknown() {
        boolean[] deaf = {false};
        Table table =
                through(
                        call ->
                                !deaf[0]
                                        ? Fault.NONE
                                        : call.kind() == Kind.CREATE
                                                ? Fault.ANSWER_LOST
                                                : Fault.UNAVAILABLE);
        assertThat(table.properties()).doesNotContainKey("a");
        deaf[0] = true;

        assertThatThrownBy(() -> set(table, "a", "1"))
                .isInstanceOf(CommitStateUnknownException.class)
                .hasMessageContaining("Cannot tell whether a commit to table train.steps is in");
        deaf[0] = false;
        table.refresh();
        assertThat(table.properties()).containsEntry("a", "1");
    }

    @Test
    void whoSleptThroughACleanUpHasLost() {
        Table slow = table();
        assertThat(slow.properties()).doesNotContainKey("n");
        set(table(), TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
        set(table(), TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "1");
        for (int i = 0; i < 5; i++) {
            set(table(), "n", "" + i);
        }
        assertThat(names("train/steps/metadata"))
                .containsExactly("v7.metadata.json", "v8.metadata.json");

        assertThatThrownBy(() -> set(slow, "reborn", "1"))
                .isInstanceOf(CommitFailedException.class);
        assertThat(table().properties()).containsEntry("n", "4").doesNotContainKey("reborn");
        assertThat(names("train/steps/metadata"))
                .containsExactly("v7.metadata.json", "v8.metadata.json");
    }

    private List<String> names(String folder) {
        return store.list(folder, "").objects().stream()
                .map(Listing.Item::key)
                .map(key -> key.substring(folder.length() + 1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void committersWhoRaceOnAFaultyStoreLoseNothingAndRepeatNothing(long seed) throws Exception {
        set(table(), TableProperties.COMMIT_NUM_RETRIES, "1000");
        set(table(), TableProperties.COMMIT_MIN_RETRY_WAIT_MS, "1");
        set(table(), TableProperties.COMMIT_MAX_RETRY_WAIT_MS, "5");
        List<Callable<List<String>>> committers = new ArrayList<>();
        for (int committer = 0; committer < 8; committer++) {
            String name = "c" + committer;
            FaultPlan plan = FaultPlan.random(new SplittableRandom(seed * 100 + committer), 0.1);
            FaultPlan unspoiled =
                    call -> {
                        Fault fault = plan.faultOf(call);
                        boolean spoils = fault == Fault.FLIPPED || fault == Fault.TRUNCATED;
                        // What is read wrongly is the store's to find out, which has digests.
                        return spoils ? Fault.NONE : fault;
                    };
            committers.add(() -> commits(new FaultyStore(store, unspoiled), name));
        }
        TreeSet<String> said = new TreeSet<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (Future<List<String>> done : threads.invokeAll(committers)) {
                said.addAll(done.get());
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(TableContract.files(table())).doesNotHaveDuplicates().containsAll(said);
        assertThat(said).isNotEmpty();
    }

    /** Returns the files of those commits that are said to be in. */
    private List<String> commits(FaultyStore faulty, String name) {
        List<String> said = new ArrayList<>();
        ObjectStoreCatalog catalog = new ObjectStoreCatalog(faulty, world);
        for (int i = 0; i < 6; i++) {
            String file = name + "-" + i;
            try {
                Table table = catalog.loadTable(NamespaceContract.TABLE);
                table.newAppend().appendFile(TableContract.file(table, file)).commit();
                said.add(file);
            } catch (RuntimeException e) {
                assertThat(e).isNotInstanceOf(NullPointerException.class);
            }
        }
        return said;
    }

    @Test
    void aDropThatIsCutShortAnywhereIsMendedByAnother() {
        Table table = table();
        table.newAppend().appendFile(TableContract.file(table, "a")).commit();
        set(table, "b", "2");
        boolean cut = true;
        int calls = 0;
        while (cut) {
            MemoryStore copy = store.copy();
            ObjectStoreCatalog other = new ObjectStoreCatalog(copy, world);
            cut = isCut(copy, calls++);

            // There is a table, whole, or there is none.
            if (other.tableExists(NamespaceContract.TABLE)) {
                assertThat(TableContract.files(other.loadTable(NamespaceContract.TABLE)))
                        .containsExactly("a");
            }
            other.dropTable(NamespaceContract.TABLE, true);
            assertThat(other.tableExists(NamespaceContract.TABLE)).isFalse();
            assertThat(copy.list("train/steps/metadata", "").objects())
                    .singleElement()
                    .extracting(Listing.Item::key)
                    .isEqualTo("train/steps/metadata/x4.metadata.json.dropped");
        }
        assertThat(calls).isGreaterThan(10);
    }

    /** Drops on a store that answers so many calls, and says whether that was too few. */
    private boolean isCut(MemoryStore copy, int calls) {
        AtomicInteger made = new AtomicInteger();
        FaultyStore dying =
                new FaultyStore(
                        copy,
                        call -> made.getAndIncrement() < calls ? Fault.NONE : Fault.UNAVAILABLE);
        Throwable death =
                catchThrowable(
                        () ->
                                new ObjectStoreCatalog(dying, world)
                                        .dropTable(NamespaceContract.TABLE, true));
        return death != null || made.get() > calls;
    }

    @Test
    void aStoreThatIsAwayIsSaidToBe() {
        assertThatThrownBy(() -> through(call -> Fault.UNAVAILABLE))
                .isInstanceOf(UnavailableException.class);
    }
}
