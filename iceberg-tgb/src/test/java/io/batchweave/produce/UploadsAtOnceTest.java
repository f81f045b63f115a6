package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Payload of several batches that becomes visible at the same time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UploadsAtOnceTest {
    private final Scene scene = new Scene("dp=2");
    private final ExecutorService pool = Executors.newFixedThreadPool(3);

    @AfterEach
    void everythingIsFreed() {
        pool.shutdownNow();
        scene.close();
    }

    /** Something that happens before a completion reaches the store. */
    private interface Meanwhile {
        void complete(String key) throws InterruptedException;
    }

    private Producer producer(Meanwhile meanwhile, Executor executor) {
        ObjectStore store = new MeetingStore(scene.memory(), meanwhile);
        return Producer.open(scene.log(store), "p", ProducerLimits.DEFAULT, executor);
    }

    private List<CompletableFuture<Long>> submit(Producer producer, int count) {
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            steps.add(scene.submit(producer, number));
        }
        return steps;
    }

    /** One after the other they would wait for ever. */
    @Test
    void everyThreadOfTheExecutorUploads() {
        CountDownLatch uploading = new CountDownLatch(3);
        Producer producer =
                producer(
                        key -> {
                            uploading.countDown();
                            uploading.await();
                        },
                        pool);

        List<CompletableFuture<Long>> steps = submit(producer, 3);

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L, 2L);
    }

    @Test
    @Tag("PRODUCE-1")
    void aCommitWaitsForPayloadThatAnotherThreadUploads() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        HandExecutor tasks = new HandExecutor();
        Producer producer =
                producer(
                        key -> {
                            if (isOf(key, 1)) {
                                second.countDown();
                                mayEnd.await();
                            }
                        },
                        tasks);
        List<CompletableFuture<Long>> steps = submit(producer, 2);
        Runnable first = tasks.takeNext();
        pool.execute(tasks::runNext);
        second.await();
        Thread committer = new Thread(first);
        committer.start();
        while (committer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(steps).noneMatch(CompletableFuture::isDone);
        assertThat(scene.truth().nextStep()).isZero();

        mayEnd.countDown();
        committer.join();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
    }

    /** A part is used by one thread at a time, also where another one's failure ends it. */
    @Test
    @Tag("PRODUCE-4")
    void whatIsBeingUploadedIsClosedWhenThatIsOver() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        HandExecutor tasks = new HandExecutor();
        Producer producer =
                producer(
                        key -> {
                            if (isOf(key, 0)) {
                                throw new UnavailableException("planned");
                            }
                            second.countDown();
                            mayEnd.await();
                        },
                        tasks);
        List<CompletableFuture<Long>> steps = submit(producer, 2);
        Runnable first = tasks.takeNext();
        pool.execute(tasks::runNext);
        second.await();

        first.run();
        assertThat(steps)
                .allSatisfy(
                        step ->
                                assertThat(step)
                                        .failsWithin(Duration.ZERO)
                                        .withThrowableThat()
                                        .withCauseInstanceOf(UnavailableException.class));

        mayEnd.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(scene.truth().nextStep()).isZero();
    }

    private static boolean isOf(String key, int sequence) {
        return key.endsWith("%020d.arrow".formatted(sequence));
    }

    /** A store at whose completions something happens, and which allows an upload one thread. */
    private static final class MeetingStore extends ForwardingStore {
        private final ObjectStore store;
        private final Meanwhile meanwhile;

        MeetingStore(ObjectStore store, Meanwhile meanwhile) {
            super(store);
            this.store = store;
            this.meanwhile = meanwhile;
        }

        @Override
        public Upload upload(String key) {
            AtomicBoolean busy = new AtomicBoolean();
            return new ForwardingUpload(store.upload(key)) {
                @Override
                public Creation complete() {
                    busy.set(true);
                    try {
                        meanwhile.complete(key);
                        return super.complete();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    } finally {
                        busy.set(false);
                    }
                }

                @Override
                public void close() {
                    assertThat(busy).as("another thread is at it").isFalse();
                    super.close();
                }
            };
        }
    }
}
