package io.batchweave.produce;

import static io.batchweave.testing.Numbers.nextBatch;
import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How producers and datasets end. */
class FinishTest {
    private Scene scene = new Scene("dp=4");

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    void finishIsTheLastClaim() {
        Producer producer = scene.producer("p");
        scene.publish(producer, 0);

        producer.finish(progress(9));

        assertThat(scene.commits().get(2).entries())
                .containsExactly(new Finish(claim(1, 1), progress(9)));
        ProducerState state = scene.truth().producer("p").orElseThrow();
        assertThat(state.finished()).isTrue();
        assertThat(nextBatch(state.progress())).isEqualTo(9);
        assertThat(scene.truth().phase()).isEqualTo(State.Phase.OPEN);
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(producer::newBatch)
                .withMessage(
                        "Cannot start a batch of producer p: it has finished or was closed; open it"
                                + " again");
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> producer.finish(progress(9)));
        producer.flush();
    }

    @Test
    void finishWaitsForWhatIsInFlight() {
        Producer producer = scene.producer("p", ProducerLimits.DEFAULT, new HandExecutor());
        CompletableFuture<Long> step = scene.submit(producer, 0);
        assertThat(step).isNotDone();

        producer.finish(progress(1));

        assertThat(step).isCompletedWithValue(0L);
        assertThat(scene.truth().producer("p").orElseThrow().finished()).isTrue();
    }

    @Test
    void aFinishedProducerMayOpenAgain() {
        Producer producer = scene.producer("p");
        producer.finish(progress(5));

        Producer again = scene.producer("p");

        assertThat(nextBatch(again.progress())).isEqualTo(5);
        assertThat(scene.submit(again, 5)).isCompletedWithValue(0L);
        assertThat(claims()).containsExactly(claim(3, 1));
    }

    /** A batch after it would have its claim, and would be taken for in without ever being. */
    @Test
    void afterADoubtfulFinishNothingIsPublished() {
        Producer producer = scene.producer("p");
        scene.next(Kind.CREATE, Fault.ANSWER_LOST).next(Kind.READ, Fault.UNAVAILABLE);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> producer.finish(progress(0)));

        assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(producer::newBatch);
        assertThat(scene.truth().producer("p").orElseThrow().finished()).isTrue();
    }

    @Test
    void finishIsRefusedWhileABatchIsWritten() {
        Producer producer = scene.producer("p");
        try (BatchWriter batch = producer.newBatch()) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> producer.finish(progress(0)))
                    .withMessageContaining("publish or close it first");
            scene.write(batch, 0, 4);
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
        producer.finish(progress(1));
        assertThat(scene.truth().producer("p").orElseThrow().finished()).isTrue();
    }

    @Test
    void tooMuchProgressIsRefusedAndNothingIsOver() {
        Producer producer = scene.producer("p");
        Bytes huge = Bytes.copyOf(new byte[Entry.PROGRESS_BYTES_MAX + 1]);
        assertThatIllegalArgumentException().isThrownBy(() -> producer.finish(huge));
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 4);
            assertThatIllegalArgumentException().isThrownBy(() -> batch.publish(huge, List.of()));
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
    }

    @Test
    void theLastDeclaredProducerToFinishSeals() {
        restage("p", "q");
        Producer p = scene.producer("p");
        Producer q = scene.producer("q");
        scene.publish(p, 0);
        p.finish(progress(1));
        assertThat(scene.truth().phase()).isEqualTo(State.Phase.OPEN);
        scene.publish(q, 1);

        q.finish(progress(1));

        assertThat(scene.truth().phase()).isEqualTo(State.Phase.SEALED);
        assertThat(scene.truth().nextStep()).isEqualTo(2);
        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> scene.producer("p"))
                .withMessageContaining("the dataset was sealed after 2 steps");
    }

    @Test
    void anUndeclaredProducerMayNotOpen() {
        restage("p");

        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> scene.producer("q"))
                .withMessageContaining("declares the producers p and no q");
        assertThat(scene.commits()).isEmpty();
    }

    @Test
    void publishAfterASealFails() {
        Producer producer = scene.producer("p");
        scene.publish(producer, 0);
        scene.log().append(List.of(new Seal(SealCondition.NONE)));

        assertThat(scene.submit(producer, 1))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(FencedException.class)
                .withMessageContaining("the dataset was sealed after 1 steps");
        assertThat(scene.truth().nextStep()).isEqualTo(1);
    }

    private void restage(String... producers) {
        scene.close();
        scene = new Scene("dp=4", producers);
    }

    private static Claim claim(long epoch, long sequence) {
        return new Claim("p", epoch, sequence);
    }

    private List<Claim> claims() {
        return scene.truth().steps().recent().stream().map(StepRecord::claim).toList();
    }
}
