package io.batchweave.produce;

import static io.batchweave.testing.Numbers.nextBatch;
import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One incarnation after the other, while the store answers. */
class ProducerTest {
    private final Scene scene = new Scene("dp=4");

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    void batchesBecomeStepsInOrder() {
        Producer producer = scene.producer("p");
        assertThat(producer.schema()).isEqualTo(Numbers.SCHEMA);

        assertThat(scene.submit(producer, 0)).isCompletedWithValue(0L);
        assertThat(scene.submit(producer, 1)).isCompletedWithValue(1L);
        assertThat(scene.submit(producer, 2)).isCompletedWithValue(2L);

        State state = scene.truth();
        assertThat(state.nextStep()).isEqualTo(3);
        for (int step = 0; step < 3; step++) {
            assertThat(state.step(step).claim()).isEqualTo(new Claim("p", 1, step));
            scene.assertHolds(state.step(step), step);
        }
    }

    @Test
    void onePublishIsOneUploadAndOneCreate() {
        Producer producer = scene.producer("p");
        scene.publish(producer, 0);
        Requests before = scene.requests();

        scene.publish(producer, 1);

        assertThat(scene.requests().minus(before).uploads()).isEqualTo(1);
        assertThat(scene.requests().minus(before).creates()).isEqualTo(1);
        assertThat(scene.requests().minus(before).total()).isEqualTo(2);
    }

    @Test
    @Tag("LOG-5")
    void aBatchItsClaimAndItsProgressAreOneEntry() {
        Producer producer = scene.producer("p");
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 4);
            assertThat(batch.publish(progress(17), List.of(new Count("tokens", 5))))
                    .isCompletedWithValue(0L);
        }

        List<Entry> entries = scene.commits().get(1).entries();
        StepRecord step = scene.truth().step(0);
        assertThat(entries)
                .containsExactly(new Publish(new Claim("p", 1, 0), progress(17), step.batch()));
        assertThat(step.batch().counts()).containsExactly(new Count("tokens", 5));
        assertThat(scene.truth().producer("p").orElseThrow().progress()).isEqualTo(progress(17));
    }

    @Test
    @Tag("PRODUCE-2")
    void aRestartGoesOnWhereTheLogSays() {
        Producer first = scene.producer("p");
        assertThat(first.progress()).isEqualTo(Bytes.EMPTY);
        scene.publish(first, 0);
        scene.publish(first, 1);

        Producer second = scene.producer("p");
        assertThat(nextBatch(second.progress())).isEqualTo(2);
        scene.publish(second, 2);
        Producer third = scene.producer("p");
        assertThat(nextBatch(third.progress())).isEqualTo(3);

        assertThat(claims()).containsExactly(claim(1, 0), claim(1, 1), claim(4, 2));
        ProducerState state = scene.truth().producer("p").orElseThrow();
        assertThat(state.epoch()).isEqualTo(6);
        assertThat(state.nextSequence()).isEqualTo(3);
    }

    @Test
    @Tag("PRODUCE-2")
    void twoRestartsWithoutABatchChangeNothing() {
        scene.publish(scene.producer("p"), 0);
        scene.producer("p");

        Producer third = scene.producer("p");

        assertThat(nextBatch(third.progress())).isEqualTo(1);
        assertThat(scene.submit(third, 1)).isCompletedWithValue(1L);
        assertThat(claims()).containsExactly(claim(1, 0), claim(4, 1));
    }

    @Test
    @Tag("LOG-6")
    void anOlderIncarnationIsFencedAtItsNextCommit() {
        Producer old = scene.producer("p");
        scene.publish(old, 0);
        Producer young = scene.producer("p");

        CompletableFuture<Long> late = scene.submit(old, 1);

        assertThat(late)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(FencedException.class)
                .withMessageContaining("producer p epoch 1 was replaced by epoch 3");
        assertThatExceptionOfType(FencedException.class).isThrownBy(old::flush);
        assertThatExceptionOfType(FencedException.class).isThrownBy(old::newBatch);
        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> old.finish(progress(1)));

        assertThat(scene.submit(young, 1)).isCompletedWithValue(1L);
        assertThat(claims()).containsExactly(claim(1, 0), claim(3, 1));
        scene.assertHolds(scene.truth().step(0), 0);
        scene.assertHolds(scene.truth().step(1), 1);
    }

    @Test
    @Tag("LOG-6")
    void nothingIsUploadedBeforeTheOpeningIsConfirmed() {
        List<Kind> calls = new ArrayList<>();
        Log log = scene.log();
        scene.watch(call -> calls.add(call.kind()));
        scene.next(Kind.CREATE, Fault.REQUEST_LOST, Fault.ANSWER_LOST);

        Producer producer = Producer.open(log, "p", ProducerLimits.DEFAULT, Runnable::run);
        assertThat(calls).containsOnly(Kind.CREATE, Kind.READ).endsWith(Kind.READ);
        assertThat(scene.requests().uploads()).isZero();

        scene.publish(producer, 0);
        assertThat(calls).containsSubsequence(Kind.COMPLETE, Kind.CREATE);
        assertThat(scene.commits().get(0).entries()).hasOnlyElementsOfType(OpenProducer.class);
    }

    @Test
    @Tag("LOG-6")
    void anOpeningThatLosesItsAnswerIsFoundByItsId() {
        Producer rival = scene.producer("p");
        Log log = scene.log();
        scene.next(Kind.CREATE, Fault.ANSWER_LOST);

        Producer producer = Producer.open(log, "p", ProducerLimits.DEFAULT, Runnable::run);

        assertThat(scene.submit(producer, 0)).isCompletedWithValue(0L);
        assertThat(scene.submit(rival, 0)).isCompletedExceptionally();
        assertThat(claims()).containsExactly(claim(2, 0));
    }

    @Test
    @Tag("LOG-6")
    void anOpeningIsOverEvenIfTheNextOneCameFirst() {
        Log log = scene.log();
        scene.next(Kind.CREATE, Fault.ANSWER_LOST);
        Producer[] young = new Producer[1];
        int[] reads = new int[1];
        scene.watch(
                call -> {
                    if (call.kind() == Kind.READ && reads[0]++ == 0) {
                        young[0] = scene.producer("p");
                    }
                });

        Producer old = Producer.open(log, "p", ProducerLimits.DEFAULT, Runnable::run);

        assertThat(scene.submit(old, 0)).isCompletedExceptionally();
        assertThat(scene.submit(young[0], 0)).isCompletedWithValue(0L);
        assertThat(claims()).containsExactly(claim(2, 0));
    }

    @Test
    void severalProducersShareTheOrder() {
        Producer p = scene.producer("p");
        Producer q = scene.producer("q");
        for (int i = 0; i < 3; i++) {
            scene.publish(p, i);
            scene.publish(q, 100 + i);
        }

        State state = scene.truth();
        assertThat(state.steps().recent())
                .extracting(step -> step.claim().producer())
                .containsExactly("p", "q", "p", "q", "p", "q");
        scene.assertHolds(state.step(3), 101);
        assertThat(nextBatch(state.producer("p").orElseThrow().progress())).isEqualTo(3);
        assertThat(nextBatch(state.producer("q").orElseThrow().progress())).isEqualTo(103);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "TWICE", "REQUEST_LOST", "LATE"})
    @Tag("STORE-1")
    @Tag("STORE-2")
    void anOfferThatComesOutBadlyPublishesOnce(Fault fault) {
        Producer producer = scene.producer("p");
        scene.next(Kind.CREATE, fault);

        assertThat(scene.submit(producer, 0)).isCompletedWithValue(0L);
        scene.applyLate();
        assertThat(scene.submit(producer, 1)).isCompletedWithValue(1L);

        assertThat(claims()).containsExactly(claim(1, 0), claim(1, 1));
        assertThat(scene.commits()).hasSize(3);
    }

    @Test
    void closingWaitsAndKeepsTheCause() {
        Producer producer = scene.producer("p", ProducerLimits.DEFAULT, new HandExecutor());
        scene.next(Kind.CREATE, Fault.UNAVAILABLE);
        CompletableFuture<Long> step = scene.submit(producer, 0);

        producer.close();

        assertThat(step)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(UnavailableException.class);
        assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(producer::newBatch);
    }

    private static Claim claim(long epoch, long sequence) {
        return new Claim("p", epoch, sequence);
    }

    private List<Claim> claims() {
        return scene.truth().steps().recent().stream().map(StepRecord::claim).toList();
    }
}
