package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.steps.Fold;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.HandClock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever becomes of a commit to a catalog that is a store, each step is one row. */
class FoldFaultsTest {
    private static final DatasetName NAME = DatasetName.parse("train.faults");
    private static final int COMMITS = 6;
    private static final int STEPS = 5;

    private final HandClock clock = new HandClock(Instant.parse("2026-11-29T12:00:00Z"));

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNAVAILABLE", "REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void eachStepIsOneRowHoweverACommitComesOut(Fault fault) {
        for (int commit = 0; commit < COMMITS; commit++) {
            fold(fault, commit, Fault.NONE);
            fold(fault, commit, Fault.UNAVAILABLE);
        }
    }

    /**
     * Folds while one creation of metadata comes out so, and the look behind it too.
     *
     * @param commit which one
     */
    private void fold(Fault fault, int commit, Fault ofLook) {
        MemoryStore memory = new MemoryStore(clock.world(1));
        Log log =
                Log.create(
                        memory, NAME, Numbers.dataset("dp=2"), clock.world(2), LogLimits.DEFAULT);
        log.append(List.of(new OpenProducer("p", Entries.id(1))));
        for (long step = 0; step < STEPS; step++) {
            log.append(List.of(Entries.publish(new Claim("p", 1, step))));
        }
        FaultyStore faulty = new FaultyStore(memory, plan(fault, commit, ofLook));

        Fold fold = Fold.of(log, new ObjectStoreCatalog(faulty, clock.world(3)));
        fold.run();
        faulty.applyLate();
        fold.run();

        ObjectStoreCatalog catalog = new ObjectStoreCatalog(memory, clock.world(4));
        assertThat(new FoldedView(catalog, NAME).steps(Expressions.alwaysTrue()))
                .as("%s of commit %d, then %s", fault, commit, ofLook)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, STEPS).boxed().toList());
    }

    private static FaultPlan plan(Fault fault, int commit, Fault ofLook) {
        AtomicInteger left = new AtomicInteger(commit);
        AtomicInteger looks = new AtomicInteger(-1);
        return call -> {
            boolean isCommit = call.kind() == Kind.CREATE && call.key().endsWith(".metadata.json");
            if (isCommit && left.getAndDecrement() == 0) {
                looks.set(2);
                return fault;
            }
            boolean isLook = call.kind() == Kind.READ || call.kind() == Kind.LIST;
            return isLook && looks.getAndDecrement() > 0 ? ofLook : Fault.NONE;
        };
    }
}
