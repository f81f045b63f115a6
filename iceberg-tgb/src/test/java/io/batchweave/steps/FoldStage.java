package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.state.ProducerState;
import io.batchweave.state.StepRecord;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.HandClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

/** A dataset in memory, and a catalog that its log is folded into. */
final class FoldStage {
    static final DatasetName NAME = DatasetName.parse("train.pretrain");

    final HandClock clock = new HandClock(Instant.parse("2026-11-29T12:00:00Z"));
    final ObjectStore store = new MemoryStore(clock.world(1));
    final Catalog catalog;
    private final Log log;
    private long seed = 10;

    FoldStage(Catalog catalog) {
        this.catalog = catalog;
        this.log =
                Log.create(
                        store,
                        NAME,
                        Entries.dataset(new String[0]),
                        clock.world(2),
                        LogLimits.DEFAULT);
        open("p");
    }

    /** A log of its own. */
    Log log() {
        return Log.open(store, NAME, clock.world(seed++), LogLimits.DEFAULT.trimming(64));
    }

    Fold fold() {
        return Fold.of(log(), catalog);
    }

    Fold fold(FoldLimits limits) {
        return Fold.of(log(), catalog, limits);
    }

    void append(Entry... entries) {
        log.append(List.of(entries));
        log.saveIfDue();
    }

    void open(String producer) {
        append(Entries.opening(producer, seed++));
    }

    /** Publishes so many steps, each by a commit of its own. */
    void publish(int steps) {
        for (int i = 0; i < steps; i++) {
            publishAtOnce("p", 1);
        }
    }

    /** Publishes so many steps by one commit. */
    void publishAtOnce(String name, int steps) {
        ProducerState producer = log.catchUp().producer(name).orElseThrow();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            entries.add(
                    Entries.publish(
                            new Claim(name, producer.epoch(), producer.nextSequence() + i)));
        }
        append(entries.toArray(Entry[]::new));
    }

    Log ours() {
        return log;
    }

    Table table(ViewTable kind) {
        return catalog.loadTable(kind.identifier(NAME));
    }

    List<Record> rows(ViewTable kind) {
        return rows(IcebergGenerics.read(table(kind)).build());
    }

    /** The rows of the steps as they were in a snapshot. */
    List<Record> steps(Snapshot at) {
        return rows(
                IcebergGenerics.read(table(ViewTable.STEPS)).useSnapshot(at.snapshotId()).build());
    }

    private static List<Record> rows(CloseableIterable<Record> iterable) {
        List<Record> rows = new ArrayList<>();
        try (CloseableIterable<Record> all = iterable) {
            all.forEach(rows::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /** Fails unless the view tells each step once, and as the log does, and each event once. */
    void assertWhole() {
        long steps = log.catchUp().nextStep();
        assertThat(rows(ViewTable.STEPS))
                .extracting(row -> (Long) row.getField("step"))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, steps).boxed().toList());
        assertThat(rows(ViewTable.STEPS))
                .allSatisfy(row -> assertThat(row.getField("receipt")).isEqualTo(receipt(row)));
        List<String> events = events();
        assertThat(rows(ViewTable.EVENTS))
                .extracting(row -> row.getField("version") + "." + row.getField("entry"))
                .containsExactlyInAnyOrderElementsOf(events);
    }

    private String receipt(Record row) {
        StepRecord step = log.step((long) row.getField("step"));
        assertThat(row.getField("version")).isEqualTo(step.version());
        return step.receipt().toHex();
    }

    private List<String> events() {
        List<String> events = new ArrayList<>();
        for (long version = 0; version <= log.state().version(); version++) {
            List<Entry> entries = log.read(version).orElseThrow().entries();
            for (int i = 0; i < entries.size(); i++) {
                if (!(entries.get(i) instanceof Entry.Publish)) {
                    events.add(version + "." + i);
                }
            }
        }
        return events;
    }

    int filesOf(long step) {
        return files(Expressions.equal("step", step));
    }

    int files(org.apache.iceberg.expressions.Expression filter) {
        List<Object> files = new ArrayList<>();
        try (var tasks = table(ViewTable.STEPS).newScan().filter(filter).planFiles()) {
            tasks.forEach(files::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.size();
    }
}
