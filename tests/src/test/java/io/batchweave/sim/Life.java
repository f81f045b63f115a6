package io.batchweave.sim;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Choice;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Host;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One life of a process, and all that a program may use of it.
 *
 * @param store its way to the store, on which requests are lost, late and repeated
 * @param dataset what it creates if there is none
 * @param settings what it creates it with
 */
record Life(
        Host host,
        World world,
        ObjectStore store,
        DatasetName name,
        CreateDataset dataset,
        List<Entry> settings,
        BufferAllocator allocator,
        Choice choice,
        Witness witness,
        Weather weather) {
    /** Trims whatever can go. */
    static final LogLimits LIMITS = LogLimits.DEFAULT.trimming(1);

    private static final int FAILURES_MAX = 10;

    boolean isCalm() {
        return weather.isCalm();
    }

    /** Whether what happens once in so often happens now. */
    boolean happens(int onceIn) {
        return choice.of(onceIn) == 0;
    }

    /** Tries again after failures, but not for ever; on a calm day nothing fails. */
    void tryOften(Runnable attempt) {
        for (int failures = 0; failures < FAILURES_MAX; failures++) {
            try {
                attempt.run();
                return;
            } catch (ExpiredException e) {
                witness.expired(e);
            } catch (BatchWeaveException e) {
                demandReason(e);
                world.pauseUpTo(Duration.ofSeconds(2));
            }
        }
    }

    /** Fails unless this failure can come of the weather. */
    void demandReason(BatchWeaveException failure) {
        boolean isDamage = failure instanceof CorruptException;
        boolean isOutOfSight = failure instanceof CommitUnknownException && witness.wasTrimmed();
        boolean isOfTheWeather = !isCalm() && !(isDamage && !weather.hasDamaged());
        if (host.isAlive() && !isOfTheWeather && !isOutOfSight) {
            throw new AssertionError("nothing has gone wrong that explains this failure", failure);
        }
    }

    /** Opens the log of the dataset, which somebody has to create first. */
    Log openLog() {
        try {
            return Log.open(store, name, world, LIMITS);
        } catch (InvalidRequestException e) {
            return create();
        }
    }

    private Log create() {
        CreateDataset own =
                new CreateDataset(
                        world.newId(),
                        dataset.schema(),
                        dataset.grid(),
                        dataset.producers(),
                        dataset.features());
        try {
            return Log.create(store, name, own, settings, world, LIMITS);
        } catch (InvalidRequestException e) {
            return Log.open(store, name, world, LIMITS);
        }
    }

    /** A pool of threads, the calling thread, or a pool that never comes to it. */
    Executor executor() {
        return switch (choice.of(6)) {
            case 0 -> new HandExecutor();
            case 1 -> Runnable::run;
            default -> host.executor();
        };
    }
}
