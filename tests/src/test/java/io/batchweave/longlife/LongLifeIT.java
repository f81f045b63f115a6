package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.state.Position;
import io.batchweave.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand steps, a checkpoint every hundred of which three are kept, and a sweep all the time.
 */
@Tag("SWEEP-1")
@Tag("SWEEP-3")
class LongLifeIT {
    /**
     * From the oldest checkpoint on, and what comes until the next one is made and swept; each
     * producer may have begun one batch more, and have left one when it was opened again.
     */
    private static final long LIVE_STEPS_MAX =
            4 * LongLife.CHECKPOINT_EVERY + 2 * LongLife.PRODUCERS;

    private static final long MINUTES_MAX = 10;

    private final LongLife life = new LongLife();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Producers wait at every checkpoint, and would say so each time. */
    @BeforeAll
    static void keepQuiet() {
        System.setProperty("org.slf4j.simpleLogger.log.io.batchweave.produce.Lead", "error");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        life.close();
    }

    @Test
    void onlyWhatTheCheckpointsNeedIsKept() throws Exception {
        CompletionService<List<Bytes>> all = new ExecutorCompletionService<>(threads);
        List<Future<List<Bytes>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < LongLife.RANKS; rank++) {
            ranks.add(all.submit(new TrainingRank(life, rank)::train));
        }
        for (int producer = 0; producer < LongLife.PRODUCERS; producer++) {
            int number = producer;
            all.submit(() -> life.produce(number), List.of());
        }
        all.submit(life::sweep, List.of());
        for (int ended = 0; ended < LongLife.RANKS + LongLife.PRODUCERS + 1; ended++) {
            // The first one that fails says why; the others would wait for it.
            all.poll(MINUTES_MAX, TimeUnit.MINUTES).get();
        }
        List<Bytes> given = ranks.get(0).get();
        assertThat(ranks.get(1).get()).isEqualTo(given);

        assertLittleIsLeft();
        assertEachCheckpointGivesTheSame(given);
    }

    private void assertLittleIsLeft() {
        State state = life.log().state();
        long stepBytes = state.steps().totals().bytes() / LongLife.STEPS;
        System.out.printf(
                "of %d steps the payload of %d was there at most, %d bytes; of %d commits %d are"
                        + " left%n",
                state.nextStep(),
                life.store().peakBytes() / stepBytes,
                life.store().peakBytes(),
                state.version() + 1,
                life.commits());

        assertThat(life.store().peakBytes()).isLessThanOrEqualTo(LIVE_STEPS_MAX * stepBytes);
        assertThat(state.nextStep()).isEqualTo(LongLife.STEPS);
        assertThat(state.lowStep()).isEqualTo(LongLife.STEPS - 2 * LongLife.CHECKPOINT_EVERY);
        assertThat(life.store().bytes())
                .isEqualTo((state.nextStep() - state.lowStep()) * stepBytes);
        assertThat(life.commits()).isLessThan(2 * LogLimits.DEFAULT.trim());
        assertThat(life.findings()).isEmpty();
    }

    private void assertEachCheckpointGivesTheSame(List<Bytes> given) {
        List<Position> kept = life.log().state().job(LongLife.JOB).orElseThrow().checkpoints();
        assertThat(kept).hasSize(3);
        for (Position checkpoint : kept) {
            int from = Math.toIntExact(checkpoint.nextStep());
            String name = checkpoint.checkpoint();

            assertThat(new TrainingRank(life, 0).restored("from-" + name, name))
                    .isEqualTo(given.subList(from, LongLife.STEPS));
        }
    }
}
