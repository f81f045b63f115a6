package io.batchweave.produce;

import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait for batches on their way into the log. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProducerWaitsTest {
    private final CommitStage stage = new CommitStage();

    @AfterEach
    void everythingIsFreed() {
        stage.close();
    }

    @Test
    void aFurtherBatchWaitsWhileTooManyAreInFlight() throws Exception {
        Producer producer = stage.producer(2);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 2);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        stage.duringTheNextCreate(
                () -> {
                    started.countDown();
                    awaitQuietly(mayEnd);
                });
        Thread committer = new Thread(stage.executor::runNext);
        committer.start();
        started.await();
        Thread writer = new Thread(() -> steps.addAll(stage.submit(producer, 2, 1)));
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
        stage.assertSteps(3);
    }

    /** {@code shutdownNow} drops what has not begun; nobody may wait for it. */
    @ParameterizedTest
    @ValueSource(strings = {"flush", "close", "newBatch", "finish"})
    void whatTheExecutorDropsIsCommittedByWhoWaits(String wait) {
        Producer producer = stage.producer(2);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        stage.executor.shutDownNow();
        steps.addAll(stage.submit(producer, 1, 1));

        switch (wait) {
            case "flush" -> producer.flush();
            case "close" -> producer.close();
            case "newBatch" -> producer.newBatch().close();
            default -> producer.finish(progress(2));
        }

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
        stage.assertSteps(2);
    }

    @ParameterizedTest
    @ValueSource(classes = {AssertionError.class, OutOfMemoryError.class, StackOverflowError.class})
    @Tag("PRODUCE-4")
    void anErrorInTheCommittingThreadReachesWhoWaits(Class<? extends Error> kind) throws Exception {
        Error error = kind.getDeclaredConstructor().newInstance();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Producer producer = stage.scene.producer("p", new ProducerLimits(2, 1 << 20), pool);
            stage.duringTheNextCreate(
                    () -> {
                        throw error;
                    });

            CompletableFuture<Long> step = stage.scene.submit(producer, 0);

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
    void aFailureWakesWhoWaits() throws Exception {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        List<Throwable> thrown = new ArrayList<>();
        Thread waiter = new Thread(() -> thrown.add(catchThrowable(producer::flush)));
        stage.duringTheNextCreate(
                () -> {
                    waiter.start();
                    while (waiter.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    throw new UnavailableException("planned");
                });

        stage.executor.runAll();
        waiter.join();

        assertThat(thrown).hasOnlyElementsOfType(UnavailableException.class).hasSize(1);
        assertThat(steps).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void onceFlushReturnsEveryStepIsTold() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            Producer producer = stage.scene.producer("p", new ProducerLimits(5, 1 << 20), pool);
            for (int round = 0; round < 50; round++) {
                List<CompletableFuture<Long>> steps = stage.submit(producer, round * 4L, 4);
                producer.flush();
                assertThat(steps).allMatch(CompletableFuture::isDone);
            }
            stage.assertSteps(200);
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptEndsAWaitAndHarmsNothing() throws Exception {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 2);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(producer::flush)
                .withMessage(
                        "Cannot wait for the batches of producer p: interrupted with 2 of them in"
                                + " flight; open the producer again to learn what is in");
        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(steps).noneMatch(CompletableFuture::isDone);

        producer.flush();
        stage.assertSteps(2);
    }

    @Test
    void interruptEndsAWaitForACommitThatIsUnderWay() throws Exception {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        List<Throwable> thrown = new ArrayList<>();
        Thread waiter = new Thread(() -> thrown.add(catchThrowable(producer::flush)));
        stage.duringTheNextCreate(
                () -> {
                    waiter.start();
                    waiter.interrupt();
                    joinQuietly(waiter);
                });

        stage.executor.runAll();

        assertThat(thrown).hasOnlyElementsOfType(UnavailableException.class).hasSize(1);
        assertThat(steps).allMatch(CompletableFuture::isDone);
        stage.assertSteps(1);
    }

    @Test
    void closingAnInterruptedProducerReturns() {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        Thread.currentThread().interrupt();

        producer.close();

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(steps).allMatch(CompletableFuture::isCompletedExceptionally);
        stage.executor.runAll();
        stage.assertSteps(0);
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
