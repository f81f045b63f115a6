package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** What uploads of many threads take together, and how they end with their store. */
@Timeout(60)
class UploadsTest {
    private static final int PART = FakeS3.SETTINGS.partBytes();

    private final FakeS3 server = FakeS3.start();
    private final ObjectStore store = server.open(World.real());
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayEnd.countDown();
        store.close();
        server.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Parts arrive, and are answered when the test says so. */
    private CountDownLatch holdParts(int count) {
        CountDownLatch held = new CountDownLatch(count);
        server.plan(
                FakeRequest.parts(),
                Integer.MAX_VALUE,
                (request, good) -> {
                    held.countDown();
                    await(mayEnd);
                    return Optional.of(good.answer(request));
                });
        return held;
    }

    /** So they take this many parts of memory, and each the one that it fills. */
    @Test
    void whoHasFilledAPartWaitsWhileTheMostAreUnderWay() throws Exception {
        int most = FakeS3.SETTINGS.partsInFlightMax();
        CountDownLatch held = holdParts(most);
        List<Thread> writers = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < most + 3; i++) {
            String key = "large-" + i;
            writers.add(
                    new Thread(
                            () -> {
                                try (Upload upload = store.upload(key)) {
                                    upload.write(pattern(0, PART + 1));
                                    done.incrementAndGet();
                                    await(mayEnd);
                                    assertThat(upload.complete()).isInstanceOf(Creation.Done.class);
                                    done.addAndGet(100);
                                }
                            }));
        }
        writers.forEach(Thread::start);
        held.await();
        // On its way to a part a thread waits for other things too, but not for ever.
        while (done.get() < most || !allWait(writers)) {
            Thread.onSpinWait();
        }
        assertThat(server.count(FakeRequest.parts())).isEqualTo(most);
        assertThat(done).hasValue(most);

        mayEnd.countDown();
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(done).hasValue((most + 3) * 101);
    }

    private static boolean allWait(List<Thread> threads) {
        return threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }

    /** Its parts would be asked for again for a minute, and their answers waited for. */
    @Test
    @Tag("STORE-4")
    void aStoreThatIsClosedEndsItsUploadsAtOnceAndRemovesTheirParts() throws Exception {
        CountDownLatch held = holdParts(2);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread writer =
                new Thread(
                        () -> {
                            try (Upload upload = store.upload("large")) {
                                upload.write(pattern(0, 2 * PART + 1));
                                thrown.set(catchThrowable(upload::complete));
                            }
                        });
        writer.start();
        held.await();
        long begun = System.nanoTime();

        store.close();
        writer.join();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        assertThat(thrown.get()).isInstanceOf(BatchWeaveException.class);
        assertThat(server.count(FakeRequest.aborts())).isEqualTo(1);
        assertThat(server.count(FakeRequest.completions())).isZero();
    }

    /** The thread that was removing them is interrupted, and its request never arrives. */
    @Test
    @Tag("STORE-4")
    void aStoreThatIsClosedRemovesPartsThatWereBeingRemoved() throws Exception {
        CountDownLatch held = holdParts(1);
        CountDownLatch removing = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        server.plan(
                FakeRequest.aborts(),
                1,
                (request, good) -> {
                    removing.countDown();
                    await(mayFail);
                    return Optional.empty();
                });
        Upload upload = store.upload("large");
        upload.write(pattern(0, PART + 1));
        held.await();
        upload.close();
        mayEnd.countDown();
        removing.await();

        Thread closer = new Thread(store::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayFail.countDown();
        closer.join();

        assertThat(server.bucket().openUploads()).isZero();
    }

    @Test
    void anUploadThatIsGivenUpWaitsForNothing() throws Exception {
        CountDownLatch held = holdParts(1);
        Upload upload = store.upload("large");
        upload.write(pattern(0, PART + 1));
        held.await();

        upload.close();
        assertThat(server.count(FakeRequest.aborts())).isZero();

        mayEnd.countDown();
        while (server.bucket().openUploads() > 0) {
            Thread.onSpinWait();
        }
        assertThat(catchThrowable(upload::complete)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void whatIsNotClosedIsNotCalledSo() {
        IllegalStateException odd = new IllegalStateException("odd");
        Patience patience = new Patience(World.real(), Duration.ofMinutes(1));
        Patience.Request<String> request =
                () -> {
                    throw odd;
                };
        assertThat(catchThrowable(() -> patience.with("ask", request))).isSameAs(odd);

        patience.end();
        assertThat(catchThrowable(() -> patience.with("ask", request)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Cannot ask: the store was closed; open it again");
    }

    /** What was opened on the way to a store that cannot be opened. */
    @Test
    void aStoreThatCannotBeOpenedLeavesNothingOpen() {
        AtomicInteger open = new AtomicInteger();
        Throwable thrown =
                catchThrowable(
                        () ->
                                server.open(
                                        "s3://training",
                                        World.real(),
                                        client ->
                                                client.httpClientBuilder(defaults -> counted(open))
                                                        .credentialsProvider(
                                                                () -> {
                                                                    throw SdkClientException.create(
                                                                            "no");
                                                                })));

        assertThat(thrown).isInstanceOf(InvalidRequestException.class);
        assertThat(open).hasValue(0);
    }

    private static SdkHttpClient counted(AtomicInteger open) {
        SdkHttpClient client = Apache5HttpClient.create();
        open.incrementAndGet();
        return new SdkHttpClient() {
            @Override
            public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
                return client.prepareRequest(request);
            }

            @Override
            public void close() {
                open.decrementAndGet();
                client.close();
            }
        };
    }
}
