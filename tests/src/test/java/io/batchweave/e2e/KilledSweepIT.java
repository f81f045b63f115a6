package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.retain.Sweep;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.local.LocalStore;
import io.batchweave.testing.Scene;
import io.batchweave.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A sweep that is killed and run again leaves the objects that one leaves that nobody disturbs. */
@Tag("SWEEP-4")
@Tag("TRIM-8")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledSweepIT {
    /** The same moments again: {@code -Dkills.seed=N}. */
    private static final long SEED = Long.getLong("kills.seed", System.nanoTime());

    private List<String> undisturbed;
    private int changes;

    @BeforeAll
    void sweepUndisturbed() {
        ObjectStore store = Aged.dataset();
        int before = Aged.keys(store).size();
        StoppingStore way = new StoppingStore(store, Long.MAX_VALUE);
        sweep(way);
        undisturbed = listing(store);
        changes = Math.toIntExact(way.changes());
        System.out.printf(
                "a sweep leaves %d of %d objects, by %d changes; -Dkills.seed=%d%n",
                undisturbed.size(), before, changes, SEED);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void killedAtAnyMomentItIsEndedByTheNext(int change, @TempDir Path folder) throws Exception {
        Path warehouse = Files.createDirectory(folder.resolve("warehouse"));
        Cli cli = Aged.in(warehouse);

        String uri = HaltingStore.killingUri(warehouse, Moment.BEFORE_CHANGE, change);
        try (CliProcess sweep = CliProcess.start(folder, Cli.at(uri, "sweep", Aged.NAME))) {
            assertThat(sweep.end().code()).isEqualTo(HaltingStore.EXIT_CODE);
        }
        cli.verifyIsClean(Aged.NAME);
        cli.run("sweep", Aged.NAME).succeeded();

        try (ObjectStore store = new LocalStore(warehouse, World.real())) {
            assertThat(listing(store)).isEqualTo(undisturbed);
        }
        cli.verifyIsClean(Aged.NAME);
    }

    IntStream moments() {
        SplittableRandom random = new SplittableRandom(SEED);
        return Kills.times(5).map(kill -> 1 + random.nextInt(changes));
    }

    @Test
    void stoppedBetweenAnyTwoChangesItIsEndedByTheNext() {
        for (int made = 0; made < changes; made++) {
            ObjectStore store = Aged.dataset();
            StoppingStore way = new StoppingStore(store, made);
            Assertions.assertThatExceptionOfType(BatchWeaveException.class)
                    .isThrownBy(() -> sweep(way));
            sweep(new StoppingStore(store, Long.MAX_VALUE));

            assertThat(listing(store)).as("stopped after %d changes", made).isEqualTo(undisturbed);
        }
    }

    private static void sweep(ObjectStore store) {
        Log log = Log.open(store, Scene.NAME, World.real(), LogLimits.DEFAULT);
        new Sweep(log, objects -> {}).run();
    }

    /**
     * All objects. The name of a boundary ends with the time at which it was made; all others are
     * the same.
     */
    private static List<String> listing(ObjectStore store) {
        return Aged.keys(store).stream()
                .map(key -> key.contains("/boundary/") ? key.split("-", 2)[0] : key)
                .toList();
    }
}
