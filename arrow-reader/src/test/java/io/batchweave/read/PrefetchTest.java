package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.SliceGrid;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fetching ahead: how far, by whom, and that no memory is left behind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PrefetchTest {
    /** The memory of a step of this grid: 12 slices, rounded up. */
    private static final long STEP_BYTES = 6_656;

    private static final Place PLACE = Place.whole(SliceGrid.parse("dp=12"));

    private final Scene scene = new Scene("dp=12");
    private final HandExecutor fetchers = new HandExecutor();

    @BeforeEach
    void publish() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < 10; i++) {
            scene.publish(producer, i);
        }
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    void aStepTakesLittleMoreThanItsBytes() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            Rank.Read read = rank.read();
            assertThat(read.bytes()).isBetween(STEP_BYTES * 7 / 8, STEP_BYTES);
        }
    }

    @Test
    void fetchingAheadStaysWithinItsBytes() {
        ReadLimits limits = new ReadLimits(3 * STEP_BYTES, Long.MAX_VALUE);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, limits, fetchers)) {
            for (int step = 0; step < 10; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
                int left = Math.min(3, 9 - step);
                assertThat(fetchers.waiting())
                        .as("tasks, one of a step that is read")
                        .isEqualTo(step + 1 + left);
                assertThat(scene.allocator().getAllocatedMemory()).isZero();
            }
        }
    }

    @Test
    void whatIsFetchedAheadIsWithinTheBudgetOfMemory() {
        ReadLimits limits = new ReadLimits(4 * STEP_BYTES, Long.MAX_VALUE);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, limits, fetchers)) {
            for (int step = 0; step < 10; step++) {
                rank.read();
                fetchers.runAll();
                // Beside the bytes there is one bit for every value without nulls.
                assertThat(scene.allocator().getAllocatedMemory())
                        .isBetween(Math.min(4, 9 - step) * STEP_BYTES, 5 * STEP_BYTES);
            }
        }
    }

    /** While the caller works on a step, the next one is fetched, however large it is. */
    @Test
    void oneStepIsAlwaysFetchedAhead() {
        ReadLimits limits = new ReadLimits(0, Long.MAX_VALUE);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, limits, fetchers)) {
            for (int step = 0; step < 10; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
                fetchers.runAll();
                assertThat(scene.allocator().getAllocatedMemory() / STEP_BYTES)
                        .isEqualTo(step < 9 ? 1 : 0);
            }
        }
    }

    @Test
    void stepsComeInOrderWhateverIsFetchedFirst() {
        HandExecutor inner = new HandExecutor();
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, inner)) {
            rank.read();
            assertThat(rank.read().step()).isEqualTo(1);
            inner.runAll();
            assertThat(rank.read().step()).isEqualTo(2);
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, pool)) {
            for (int step = 0; step < 10; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whatTheExecutorDropsOrRejectsIsFetchedByWhoNeedsIt() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, new ReadLimits(2 * STEP_BYTES, 8), fetchers)) {
            rank.read();
            fetchers.shutDownNow();
            for (int step = 1; step < 8; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        }
    }

    @Test
    void anExecutorThatFailsLosesNoStep() {
        Executor broken =
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                };
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, broken)) {
            for (int step = 0; step < 10; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        }
    }

    @Test
    void closingEarlyGivesEverythingBack() {
        Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers);
        rank.read();
        fetchers.runNext();
        fetchers.runNext();
        fetchers.runNext();
        assertThat(scene.allocator().getAllocatedMemory()).isGreaterThan(2 * STEP_BYTES);

        rank.close();

        assertThat(scene.allocator().getAllocatedMemory()).isZero();
        fetchers.runAll();
        assertThat(scene.allocator().getAllocatedMemory()).as("late tasks").isZero();
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(rank::read)
                .withMessage(
                        "Cannot read step 1 of train.numbers: the reader was closed; open another");
        rank.close();
    }

    @Test
    void closingDoesNotWaitForTasksThatWereDropped() {
        Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers);
        rank.read();
        fetchers.runNext();
        fetchers.runNext();
        fetchers.shutDownNow();

        rank.close();

        assertThat(scene.allocator().getAllocatedMemory()).isZero();
    }

    @Test
    void closingWaitsForWhatIsBeingFetched() throws Exception {
        Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers);
        rank.read();
        fetchers.runNext();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        scene.watch(
                call -> {
                    begun.countDown();
                    awaitQuietly(mayEnd);
                });
        Thread fetcher = new Thread(fetchers::runNext);
        fetcher.start();
        begun.await();
        Thread closer = new Thread(rank::close);
        closer.start();
        while (closer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        mayEnd.countDown();
        closer.join();

        assertThat(scene.allocator().getAllocatedMemory()).isZero();
        fetcher.join();
    }

    @Test
    void anErrorInAFetchIsToldToWhoReads() {
        Error error = new AssertionError("planned");
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers)) {
            rank.read();
            scene.watch(call -> failReads(call, error));
            fetchers.runAll();

            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(rank::read)
                    .withCause(error)
                    .withMessage(
                            "Cannot read step 1 of train.numbers: fetching it failed with "
                                    + error
                                    + "; mend that and open a reader at it");
            assertThat(scene.allocator().getAllocatedMemory()).isZero();
        }
    }

    @Test
    void interruptEndsTheWaitForAFetchAndTheStepIsStillThere() throws Exception {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers)) {
            rank.read();
            fetchers.runNext();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            scene.watch(
                    call -> {
                        begun.countDown();
                        awaitQuietly(mayEnd);
                    });
            Thread fetcher = new Thread(fetchers::runNext);
            fetcher.start();
            begun.await();
            Thread reader = Thread.currentThread();
            Thread interrupter =
                    new Thread(
                            () -> {
                                while (reader.getState() != Thread.State.WAITING) {
                                    Thread.onSpinWait();
                                }
                                reader.interrupt();
                            });
            interrupter.start();

            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(rank::read)
                    .withMessageContaining("the thread was interrupted");
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();

            mayEnd.countDown();
            fetcher.join();
            interrupter.join();
            scene.watch(call -> {});
            assertThat(rank.read().step()).isEqualTo(1);
        }
    }

    @Test
    void tooLittleMemoryIsAnErrorThatSaysSo() {
        Log log = scene.log();
        try (BufferAllocator small = scene.allocator().newChildAllocator("small", 0, 4_096);
                StepReader reader =
                        StepReader.open(log, PLACE, 0, ReadLimits.DEFAULT, small, fetchers)) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(UnavailableException.class)
                        .isThrownBy(() -> reader.next(Rank.WAIT))
                        .withMessageStartingWith(
                                "Cannot read step 0 of train.numbers: fetching it failed with"
                                        + " org.apache.arrow.memory.OutOfMemoryException: ");
            }
            assertThat(small.getAllocatedMemory()).isZero();
        }
    }

    @Test
    void limitsMakeSense() {
        assertThat(new ReadLimits(0, 0).endingAt(7)).isEqualTo(new ReadLimits(0, 7));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadLimits(-1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadLimits(0, -1));
    }

    private static void failReads(Call call, Error error) {
        if (call.kind() == Kind.READ && call.key().endsWith(".arrow")) {
            throw error;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
