package io.batchweave.produce;

import static io.batchweave.testing.Numbers.nextBatch;
import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.store.Bodies;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import io.batchweave.testing.WeakStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payload on its way into a store that fails. */
class UploadTest {
    private final Scene scene = new Scene("dp=4");
    private final Producer producer = scene.producer("p");

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    @Tag("PRODUCE-1")
    void payloadIsThereBeforeTheCommitIsOffered() {
        List<List<String>> payloadAtOffers = new ArrayList<>();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.CREATE) {
                        payloadAtOffers.add(scene.payload());
                    }
                });

        scene.publish(producer, 0);

        assertThat(payloadAtOffers).containsExactly(List.of(key(0)));
    }

    @Test
    @Tag("PRODUCE-1")
    void anUploadThatFailsLeavesTheLogAlone() {
        scene.next(Kind.COMPLETE, Fault.UNAVAILABLE);

        CompletableFuture<Long> step = scene.submit(producer, 0);

        assertFailedWith(step, UnavailableException.class);
        assertThat(scene.commits()).as("the opening alone").hasSize(1);
        assertThat(scene.payload()).isEmpty();
    }

    @Test
    @Tag("PRODUCE-4")
    void whatComesAfterAFailureFailsWithItsCause() {
        HandExecutor executor = new HandExecutor();
        Producer queued = scene.producer("q", ProducerLimits.DEFAULT, executor);
        scene.next(Kind.COMPLETE, Fault.NONE, Fault.UNAVAILABLE);
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            steps.add(scene.submit(queued, i));
        }
        BatchWriter writing = queued.newBatch();
        scene.write(writing, 3, 4);

        executor.runAll();

        assertThat(steps).allSatisfy(step -> assertFailedWith(step, UnavailableException.class));
        assertFailedWith(writing.publish(progress(4), List.of()), UnavailableException.class);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(queued::flush);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(queued::newBatch);
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> queued.finish(progress(4)));
        queued.close();
        assertThat(scene.truth().nextStep()).isZero();

        Producer again = scene.producer("q");
        assertThat(nextBatch(again.progress())).isZero();
        assertThat(scene.publish(again, 0)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "TWICE", "LATE"})
    @Tag("PRODUCE-3")
    @Tag("STORE-1")
    @Tag("STORE-2")
    void anUploadThatComesOutBadlyIsSettledByLooking(Fault fault) {
        scene.next(Kind.COMPLETE, fault);
        lateRequestsArriveAfter(Duration.ofSeconds(10));

        assertThat(scene.submit(producer, 0)).isCompletedWithValue(0L);

        assertThat(scene.payload()).containsExactly(key(0));
        scene.assertHolds(scene.truth().step(0), 0);
        assertThat(scene.publish(producer, 1)).isEqualTo(1);
    }

    /** It may be of any size, and memory is for a piece of it. */
    @Test
    @Tag("STORE-2")
    void aLargePartIsLookedAtInPieces() {
        try (Scene large = new Scene("dp=3000")) {
            Producer writer = large.producer("p");
            large.next(Kind.COMPLETE, Fault.ANSWER_LOST);
            Requests before = large.requests();

            assertThat(large.publish(writer, 0)).isZero();

            long length = large.truth().step(0).batch().bytes();
            Requests made = large.requests().minus(before);
            assertThat(length).isGreaterThan(1 << 20);
            assertThat(made.bytesDown()).isEqualTo(length);
            assertThat(made.reads()).isEqualTo(length / (1 << 20) + 1);
        }
    }

    @Test
    @Tag("STORE-1")
    void anUploadThatNeverArrivesIsGivenUpInTime() {
        scene.next(Kind.COMPLETE, Fault.REQUEST_LOST);

        assertFailedWith(
                scene.submit(producer, 0),
                UnavailableException.class,
                "the store did not confirm it within 60 s; open the producer again to continue");

        Duration waited = scene.clock().pauses().stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(waited).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
        assertThat(scene.commits()).as("the opening alone").hasSize(1);
    }

    /** What the store promises of uploads: a completion may be asked for once. */
    @Test
    void aCompletionIsNotAskedForTwice() {
        int[] completions = new int[1];
        scene.watch(call -> completions[0] += call.kind() == Kind.COMPLETE ? 1 : 0);
        scene.next(Kind.COMPLETE, Fault.LATE);
        lateRequestsArriveAfter(Duration.ofSeconds(10));

        scene.publish(producer, 0);

        assertThat(completions[0]).isEqualTo(1);
    }

    /** A dataset was made again, and what the one before it uploaded is still there. */
    @Test
    @Tag("STORE-2")
    void anotherObjectUnderItsKeyIsNotTakenForIts() {
        scene.memory().create(key(0), Bodies.pattern(0, 100_000));

        assertFailedWith(scene.submit(producer, 0), CorruptException.class, key(0));

        assertThat(scene.commits()).as("the opening alone").hasSize(1);
    }

    @Test
    @Tag("STORE-2")
    void aShorterObjectUnderItsKeyIsNotTakenForIts() {
        scene.memory().create(key(0), Bodies.pattern(0, 10));

        assertFailedWith(scene.submit(producer, 0), CorruptException.class, key(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aStoreThatFailsInTheMiddleOfABatchLeavesNothing(int goodSlices) {
        WeakStore weak = new WeakStore(scene.memory());
        Producer other = Producer.open(scene.log(weak), "w", ProducerLimits.DEFAULT, Runnable::run);
        try (BatchWriter batch = other.newBatch()) {
            scene.write(batch, 0, goodSlices);
            weak.failWrites();
            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> scene.write(batch, 0, 1));
            weak.recover();
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> scene.write(batch, 0, 1))
                    .withMessageContaining("a slice of it is lost; close it and start another");
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> batch.publish(progress(1), List.of()));
        }
        assertThat(scene.payload()).isEmpty();
        assertThat(weak.openUploads()).isZero();

        assertThat(scene.publish(other, 0)).isZero();
        assertThat(scene.truth().step(0).claim().sequence()).isZero();
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    void everyUploadIsClosed() {
        WeakStore weak = new WeakStore(scene.memory());
        HandExecutor executor = new HandExecutor();
        Producer other = Producer.open(scene.log(weak), "w", new ProducerLimits(8, 1), executor);
        scene.publish(other, 0);
        try (BatchWriter batch = other.newBatch()) {
            scene.write(batch, 1, 3);
        }
        assertThat(weak.openUploads()).isZero();

        scene.submit(other, 1).exceptionally(e -> -1L);
        scene.producer("w");
        scene.submit(other, 2).exceptionally(e -> -1L);
        assertThat(weak.openUploads()).isEqualTo(8);
        executor.runAll();

        assertThat(weak.openUploads()).isZero();
        assertThat(scene.truth().nextStep()).isEqualTo(1);
    }

    @Test
    void interruptEndsTheWaitForAnUpload() {
        scene.next(Kind.COMPLETE, Fault.REQUEST_LOST);
        scene.clock().whilePausing(pause -> Thread.currentThread().interrupt());

        CompletableFuture<Long> step = scene.submit(producer, 0);

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertFailedWith(step, UnavailableException.class, "before the thread was interrupted");
    }

    private void lateRequestsArriveAfter(Duration time) {
        Duration[] passed = {Duration.ZERO};
        scene.clock()
                .whilePausing(
                        pause -> {
                            passed[0] = passed[0].plus(pause);
                            if (passed[0].compareTo(time) > 0) {
                                scene.applyLate();
                            }
                        });
    }

    private static String key(long sequence) {
        return new Layout(Scene.NAME).part(new Claim("p", 1, sequence), 0);
    }

    private static void assertFailedWith(
            CompletableFuture<Long> step, Class<? extends BatchWeaveException> kind) {
        assertFailedWith(step, kind, "Cannot ");
    }

    private static void assertFailedWith(
            CompletableFuture<Long> step, Class<? extends BatchWeaveException> kind, String text) {
        assertThat(step)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(kind)
                .withMessageContaining(text);
    }
}
