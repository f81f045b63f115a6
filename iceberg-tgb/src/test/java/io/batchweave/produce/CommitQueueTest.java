package io.batchweave.produce;

import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.state.State;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that queue up for the log, and threads that wait for them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitQueueTest {
    private final Scene scene = new Scene("dp=2");
    private final HandExecutor executor = new HandExecutor();
    private final Queue<Runnable> atCreates = new ArrayDeque<>();

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    void batchesThatQueueUpGoInOneCommit() {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 3);
        assertThat(scene.payload()).as("nothing is visible yet").isEmpty();

        executor.runAll();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L, 2L);
        assertThat(batchesPerCommit()).containsExactly(0, 3);
        assertThat(scene.requests().creates()).as("the opening and one commit").isEqualTo(2);
        assertSteps(3);
    }

    @Test
    void batchesThatFinishWhileACommitIsUnderWayRideAlongInTheNext() {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 1);
        duringTheNextCreate(() -> steps.addAll(submit(producer, 1, 3)));

        executor.runNext();

        assertThat(steps).hasSize(4).allMatch(CompletableFuture::isDone);
        assertThat(batchesPerCommit()).containsExactly(0, 1, 3);
        assertSteps(4);
        executor.runAll();
        assertThat(batchesPerCommit()).as("later tasks have nothing to do").hasSize(3);
    }

    /** An executor of many threads must not let a later batch overtake: that would be a gap. */
    @Test
    void oneCommitIsUnderWayAtATime() {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 1);
        duringTheNextCreate(
                () -> {
                    steps.addAll(submit(producer, 1, 1));
                    executor.runAll();
                    assertThat(steps).noneMatch(CompletableFuture::isDone);
                });

        executor.runNext();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
        assertThat(batchesPerCommit()).containsExactly(0, 1, 1);
    }

    @Test
    void aFurtherBatchWaitsWhileTooManyAreInFlight() throws Exception {
        Producer producer = producer(2);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 2);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        duringTheNextCreate(
                () -> {
                    started.countDown();
                    awaitQuietly(mayEnd);
                });
        Thread committer = new Thread(executor::runNext);
        committer.start();
        started.await();
        Thread writer = new Thread(() -> steps.addAll(submit(producer, 2, 1)));
        writer.start();
        while (writer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(steps).hasSize(2).noneMatch(CompletableFuture::isDone);

        mayEnd.countDown();
        writer.join();
        committer.join();

        assertThat(steps).hasSize(3);
        producer.flush();
        assertSteps(3);
    }

    /** {@code shutdownNow} drops what has not begun; nobody may wait for it. */
    @ParameterizedTest
    @ValueSource(strings = {"flush", "close", "newBatch", "finish"})
    void whatTheExecutorDropsIsCommittedByWhoWaits(String wait) {
        Producer producer = producer(2);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 1);
        executor.shutDownNow();
        steps.addAll(submit(producer, 1, 1));

        switch (wait) {
            case "flush" -> producer.flush();
            case "close" -> producer.close();
            case "newBatch" -> producer.newBatch().close();
            default -> producer.finish(progress(2));
        }

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
        assertSteps(2);
    }

    @ParameterizedTest
    @ValueSource(classes = {AssertionError.class, OutOfMemoryError.class, StackOverflowError.class})
    @Tag("PRODUCE-4")
    void anErrorInTheCommittingThreadReachesWhoWaits(Class<? extends Error> kind) throws Exception {
        Error error = kind.getDeclaredConstructor().newInstance();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Producer producer = scene.producer("p", new ProducerLimits(2, 1 << 20), pool);
            duringTheNextCreate(
                    () -> {
                        throw error;
                    });

            CompletableFuture<Long> step = scene.submit(producer, 0);

            assertThatExceptionOfType(CommitUnknownException.class)
                    .isThrownBy(producer::flush)
                    .withCause(error)
                    .withMessageStartingWith(
                            "Cannot tell which batches of producer p are in the log: committing"
                                    + " them failed with "
                                    + kind.getName());
            assertThat(step).isCompletedExceptionally();
            assertThatExceptionOfType(CommitUnknownException.class).isThrownBy(producer::newBatch);
            producer.close();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void onceFlushReturnsEveryStepIsTold() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            Producer producer = scene.producer("p", new ProducerLimits(5, 1 << 20), pool);
            for (int round = 0; round < 50; round++) {
                List<CompletableFuture<Long>> steps = submit(producer, round * 4L, 4);
                producer.flush();
                assertThat(steps).allMatch(CompletableFuture::isDone);
            }
            assertSteps(200);
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptEndsAWaitAndHarmsNothing() throws Exception {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 2);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(producer::flush)
                .withMessage(
                        "Cannot wait for the batches of producer p: interrupted with 2 of them in"
                                + " flight; open the producer again to learn what is in");
        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(steps).noneMatch(CompletableFuture::isDone);

        producer.flush();
        assertSteps(2);
    }

    @Test
    void interruptEndsAWaitForACommitThatIsUnderWay() throws Exception {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 1);
        List<Throwable> thrown = new ArrayList<>();
        duringTheNextCreate(
                () -> {
                    Thread waiter =
                            new Thread(
                                    () -> {
                                        try {
                                            producer.flush();
                                        } catch (UnavailableException e) {
                                            thrown.add(e);
                                        }
                                    });
                    waiter.start();
                    waiter.interrupt();
                    joinQuietly(waiter);
                });

        executor.runAll();

        assertThat(thrown).hasSize(1);
        assertThat(steps).allMatch(CompletableFuture::isDone);
        assertSteps(1);
    }

    @Test
    void closingAnInterruptedProducerReturns() {
        Producer producer = producer(8);
        List<CompletableFuture<Long>> steps = submit(producer, 0, 1);
        Thread.currentThread().interrupt();

        producer.close();

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(steps).allMatch(CompletableFuture::isCompletedExceptionally);
        executor.runAll();
        assertSteps(0);
    }

    @Test
    void aBatchThatTheExecutorRefusesIsCommittedByWhoPublishesIt() {
        Producer producer =
                scene.producer(
                        "p",
                        new ProducerLimits(8, 1 << 20),
                        task -> {
                            throw new RejectedExecutionException("shut down");
                        });

        assertThat(submit(producer, 0, 1)).allMatch(CompletableFuture::isDone);
        assertSteps(1);
    }

    @Test
    @Tag("LOG-7")
    void aCommitIsBoundedInEntries() {
        Producer producer = producer(5_000);
        submit(producer, 0, Commit.ENTRIES_MAX + 3);

        executor.runAll();

        assertThat(batchesPerCommit()).containsExactly(0, Commit.ENTRIES_MAX, 3);
    }

    @Test
    @Tag("LOG-7")
    void aCommitIsBoundedInBytes() {
        Bytes longProgress = Bytes.copyOf(new byte[Entry.PROGRESS_BYTES_MAX]);
        Producer producer = producer(100);
        for (int i = 0; i < 100; i++) {
            try (BatchWriter batch = producer.newBatch()) {
                scene.write(batch, i, 2);
                var unused = batch.publish(longProgress, List.of());
            }
        }

        executor.runAll();

        assertThat(batchesPerCommit()).containsExactly(0, 64, 36);
        assertSteps(100);
    }

    private Producer producer(int batchesInFlightMax) {
        return scene.producer("p", new ProducerLimits(batchesInFlightMax, 1 << 20), executor);
    }

    private void runAtCreate(Call call) {
        Runnable action = call.kind() == Kind.CREATE ? atCreates.poll() : null;
        if (action != null) {
            action.run();
        }
    }

    private void duringTheNextCreate(Runnable action) {
        scene.watch(this::runAtCreate);
        atCreates.add(action);
    }

    private List<CompletableFuture<Long>> submit(Producer producer, long first, int count) {
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(scene.submit(producer, first + i));
        }
        return steps;
    }

    private List<Integer> batchesPerCommit() {
        return scene.commits().stream()
                .map(
                        commit ->
                                (int)
                                        commit.entries().stream()
                                                .filter(CommitQueueTest::isPublish)
                                                .count())
                .toList();
    }

    private static boolean isPublish(Entry entry) {
        return entry instanceof Publish;
    }

    private void assertSteps(int count) {
        State state = scene.truth();
        assertThat(state.nextStep()).isEqualTo(count);
        for (int step = 0; step < count; step++) {
            assertThat(state.step(step).claim().sequence()).isEqualTo(step);
            scene.assertHolds(state.step(step), step);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void joinQuietly(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
