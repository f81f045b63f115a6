package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.catalog.ObjectStoreCatalog;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.steps.Fold;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two folders, which merge and expire too, while three producers publish, on a store that answers
 * badly: each step is one row. {@code -Dfolded=N}: so many steps.
 */
class FoldersIT {
    private static final DatasetName NAME = DatasetName.parse("train.folded");
    private static final int STEPS = Integer.getInteger("folded", 5_000);
    private static final int BATCHES = 10;
    private static final int PRODUCERS = 3;

    private final World world = World.real().seeded(7);
    private final MemoryStore memory = new MemoryStore(world);
    private final AtomicBoolean isOver = new AtomicBoolean();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsAreStepsEachOnce(boolean expiring) throws Exception {
        Log.create(memory, NAME, Numbers.dataset("dp=2"), world, LogLimits.DEFAULT);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                String name = "p" + i;
                producers.add(threads.submit(() -> publish(name)));
            }
            List<Future<?>> folders = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                long seed = i;
                Callable<Integer> folder = () -> fold(seed, expiring);
                folders.add(threads.submit(folder));
            }
            for (Future<?> producer : producers) {
                producer.get();
            }
            isOver.set(true);
            for (Future<?> folder : folders) {
                folder.get();
            }
        } finally {
            threads.shutdownNow();
        }
        ObjectStoreCatalog catalog = new ObjectStoreCatalog(memory, world);
        Log log = Log.open(memory, NAME, world, LogLimits.DEFAULT);
        Fold.of(log, catalog).run();
        long steps = log.state().nextStep();
        assertThat(steps).isGreaterThanOrEqualTo(STEPS);
        assertThat(new FoldedView(catalog, NAME).steps(Expressions.alwaysTrue()))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, steps).boxed().toList());
    }

    private void publish(String name) {
        Log log = Log.open(memory, NAME, World.real(), LogLimits.DEFAULT);
        log.append(List.of(new OpenProducer(name, log.world().newId())));
        long epoch = log.state().producer(name).orElseThrow().epoch();
        for (long next = 0; next < STEPS / PRODUCERS + 1; next += BATCHES) {
            List<Entry> entries = new ArrayList<>();
            for (long sequence = next; sequence < next + BATCHES; sequence++) {
                entries.add(Entries.publish(new Claim(name, epoch, sequence)));
            }
            log.append(entries);
            log.saveIfDue();
        }
    }

    /** Folds until all is published; what a bad store lets fail is tried again. */
    private int fold(long seed, boolean expiring) {
        ObjectStore store = badly(seed);
        World own = World.real();
        ObjectStoreCatalog catalog = new ObjectStoreCatalog(store, own);
        int folds = 0;
        while (!isOver.get()) {
            try {
                Fold fold = Fold.of(Log.open(store, NAME, own, LogLimits.DEFAULT), catalog);
                for (int i = 0; i < 5 && !isOver.get(); i++) {
                    fold.run();
                    folds++;
                }
                if (expiring) {
                    fold.expire();
                }
            } catch (UnavailableException | CommitUnknownException e) {
                System.out.println("folds again: " + e.getMessage());
            }
        }
        return folds;
    }

    /** Answers get lost, requests come late or twice; damaged bodies are another test's matter. */
    private ObjectStore badly(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultPlan plan = FaultPlan.random(random, 0.01);
        return new FaultyStore(
                memory,
                call -> {
                    synchronized (random) {
                        Fault fault = plan.faultOf(call);
                        return call.kind() == Kind.READ && fault != Fault.NONE
                                ? Fault.UNAVAILABLE
                                : fault;
                    }
                });
    }
}
