package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A read of the store that hangs keeps nobody waiting for long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HedgeTest {
    private static final Duration MOST = Duration.ofMinutes(1);
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final FetchLimits ANY = new FetchLimits(MOST, LEAST, 3, 1);
    private static final int STEPS = 30;

    private final Scene scene = new Scene("dp=2");
    private final HandExecutor fetchers = new HandExecutor();
    private final HangingStore store = new HangingStore(scene.memory());
    private final Log log = scene.log(store);
    private final List<Duration> waits = new ArrayList<>();

    @BeforeEach
    void publish() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < STEPS; i++) {
            scene.publish(producer, i);
        }
        log.catchUp();
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    /** One step is fetched ahead of the one that is read. */
    private StepReader reader(FetchLimits limits) {
        return StepReader.open(
                log,
                Place.whole(log.state().dataset().grid()),
                0,
                new ReadLimits(0, Long.MAX_VALUE, limits),
                scene.allocator(),
                fetchers);
    }

    private void read(StepReader reader, int from, int end) {
        for (int step = from; step < end; step++) {
            try (StepBatch batch = reader.next(Duration.ZERO).orElseThrow()) {
                assertThat(batch.step()).isEqualTo(step);
                for (SliceBatch slice : batch.slices()) {
                    assertThat(Numbers.areThoseOf(slice.rows(), step, slice.index())).isTrue();
                }
            }
        }
    }

    /** Lets another thread fetch the next step, which hangs. */
    private Thread hang() throws InterruptedException {
        store.hangNext();
        Thread fetcher = new Thread(fetchers::runAll);
        fetcher.start();
        store.awaitHanging();
        return fetcher;
    }

    /** Time passes for who waits, and at the second time the executor has a thread. */
    private void passTime() {
        scene.clock()
                .whileAwaiting(
                        wait -> {
                            waits.add(wait);
                            if (waits.size() == 2) {
                                fetchers.runAll();
                            }
                        });
    }

    @Test
    void aStepThatHangsIsFetchedOnceMoreAndTheLateOneIsClosed() throws Exception {
        try (StepReader reader = reader(ANY)) {
            read(reader, 0, 10);
            Thread fetcher = hang();
            passTime();
            long before = store.reads();

            read(reader, 10, 11);

            assertThat(waits).containsExactly(LEAST, MOST.minus(LEAST));
            assertThat(store.reads() - before).as("one hedge").isEqualTo(1);
            assertThat(scene.allocator().getAllocatedMemory()).as("the late one").isPositive();
            store.letGo();
            fetcher.join();
            read(reader, 11, STEPS);
            assertThat(scene.allocator().getAllocatedMemory()).as("all is read").isZero();
        }
    }

    @Test
    void whileTheLateOneHangsThereIsNoOtherHedge() throws Exception {
        try (StepReader reader = reader(ANY)) {
            read(reader, 0, 10);
            Thread fetcher = hang();
            passTime();
            read(reader, 10, STEPS);

            assertThat(waits).as("of step 10 alone").hasSize(2);
            store.letGo();
            fetcher.join();
        }
    }

    @Test
    void closingWaitsForTheLateOne() throws Exception {
        StepReader reader = reader(ANY);
        read(reader, 0, 10);
        Thread fetcher = hang();
        passTime();
        read(reader, 10, 11);
        Thread closer = new Thread(reader::close);
        closer.start();
        while (closer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        store.letGo();
        closer.join();

        assertThat(scene.allocator().getAllocatedMemory()).isZero();
        fetcher.join();
    }

    @Test
    void oneOfTwentyFetchesIsHedgedAtMost() throws Exception {
        try (StepReader reader = reader(FetchLimits.DEFAULT)) {
            read(reader, 0, 19);
            Thread fetcher = hang();
            scene.clock()
                    .whileAwaiting(
                            wait -> {
                                waits.add(wait);
                                store.letGo();
                                join(fetcher);
                            });
            read(reader, 19, 20);
            assertThat(waits).as("after 19 fetches").containsExactly(Duration.ofMinutes(10));

            waits.clear();
            Thread later = hang();
            passTime();
            read(reader, 20, 21);
            assertThat(waits).as("after 20").hasSize(2).startsWith(LEAST);
            store.letGo();
            later.join();
        }
    }

    @Test
    void anExecutorThatIsGoneLeavesTheFirstFetch() throws Exception {
        try (StepReader reader = reader(ANY)) {
            read(reader, 0, 10);
            Thread fetcher = hang();
            fetchers.shutDownNow();
            scene.clock()
                    .whileAwaiting(
                            wait -> {
                                waits.add(wait);
                                if (waits.size() == 2) {
                                    store.letGo();
                                    join(fetcher);
                                }
                            });

            read(reader, 10, STEPS);

            assertThat(waits).hasSize(2);
        }
    }

    @Test
    void aWaitHasAnEndAndTheStepMayBeAskedForAgain() throws Exception {
        try (StepReader reader = reader(ANY.withoutHedges())) {
            read(reader, 0, 10);
            Thread fetcher = hang();
            passTime();

            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> read(reader, 10, 11))
                    .withMessage(
                            "Cannot read step 10 of train.numbers: it is published, and its payload"
                                    + " did not come within 60000 ms; look at the store, and ask for"
                                    + " the same step again");
            assertThat(waits).containsExactly(MOST);

            store.letGo();
            fetcher.join();
            read(reader, 10, STEPS);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A store at which one read of payload hangs until it is let go. */
    private static final class HangingStore extends ForwardingStore {
        private final ObjectStore store;
        private final AtomicLong reads = new AtomicLong();
        private CountDownLatch hanging = new CountDownLatch(1);
        private CountDownLatch mayGo = new CountDownLatch(0);

        HangingStore(ObjectStore store) {
            super(store);
            this.store = store;
        }

        long reads() {
            return reads.get();
        }

        synchronized void hangNext() {
            hanging = new CountDownLatch(1);
            mayGo = new CountDownLatch(1);
        }

        void awaitHanging() throws InterruptedException {
            hanging().await();
        }

        private synchronized CountDownLatch hanging() {
            return hanging;
        }

        synchronized void letGo() {
            mayGo.countDown();
        }

        /** What the next read waits for; only the first finds that it has to. */
        private synchronized CountDownLatch arrive() {
            boolean first = hanging.getCount() > 0 && mayGo.getCount() > 0;
            hanging.countDown();
            return first ? mayGo : new CountDownLatch(0);
        }

        @Override
        public Fetched readInto(String key, long offset, ByteBuffer target) {
            reads.incrementAndGet();
            try {
                arrive().await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return store.readInto(key, offset, target);
        }
    }
}
