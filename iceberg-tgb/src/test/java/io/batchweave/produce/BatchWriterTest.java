package io.batchweave.produce;

import static io.batchweave.testing.Numbers.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Count;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.StepRecord;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of one batch before it is handed over. */
class BatchWriterTest {
    private static final Claim FIRST = new Claim("p", 1, 0);

    private final Scene scene = new Scene("dp=2,cp=3");
    private final Producer producer = scene.producer("p");

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    @Tag("LOG-7")
    void aBatchWithoutAllSlicesIsRefusedBeforeItIsOffered() {
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 5);

            assertRefused(
                    () -> batch.publish(progress(1), List.of()),
                    "only 5 of 6 slices were written; every rank needs one");
        }
        assertNothingHappened();
    }

    @Test
    @Tag("LOG-7")
    void moreThanTheLogCanHoldOfABatchIsRefusedAndTheBatchIsStillGood() {
        SourceRows row = new SourceRows(0, 0, Long.MAX_VALUE - 1, 1, Long.MAX_VALUE);
        Provenance tooMuch =
                new Provenance(
                        List.of(new Source("a", 0, Bytes.EMPTY, 0)),
                        Collections.nCopies(600_000, row));
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 6);

            assertRefused(
                    () -> batch.publish(progress(1), List.of(), tooMuch),
                    "what the log would hold of it takes 13800533 bytes, at most 12582912 are"
                            + " allowed; use fewer rows a slice");
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    @Tag("LOG-7")
    void aSliceTooManyIsRefusedAndTheBatchIsStillGood() {
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 6);

            assertRefused(() -> scene.write(batch, 0, 1), "the grid dp=2,cp=3 is full");
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    @Tag("LOG-7")
    void aSliceOfAnotherSchemaIsRefusedAndTheBatchIsStillGood() {
        try (BatchWriter batch = producer.newBatch();
                VectorSchemaRoot other =
                        VectorSchemaRoot.create(
                                PayloadSchema.tokens().arrow(), scene.allocator())) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> batch.write(other))
                    .withMessageContaining("batch (field id 1)");
            scene.write(batch, 0, 6);
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    void anAbandonedBatchLeavesNoTraceAndItsSequenceIsUsedNext() {
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 77, 6);
        }
        assertNothingHappened();

        scene.publish(producer, 0);

        assertThat(scene.truth().step(0).claim()).isEqualTo(FIRST);
        assertThat(scene.payload()).hasSize(1);
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    void twoBatchesAreNotWrittenAtOnce() {
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 1);
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(producer::newBatch)
                    .withMessage(
                            "Cannot start a batch of producer p: one is still being written;"
                                    + " publish or close it first");
        }
        scene.publish(producer, 0);
    }

    /** It has the sequence of the batch after it, and so would have its keys. */
    @Test
    void aClosedBatchTakesNothingMore() {
        BatchWriter closed = producer.newBatch();
        scene.write(closed, 77, 6);
        closed.close();
        try (BatchWriter next = producer.newBatch()) {
            scene.write(next, 0, 6);
            assertRefused(() -> scene.write(closed, 77, 1), "it was published or closed");
            assertRefused(() -> closed.publish(progress(78), List.of()), "published or closed");
            closed.close();
            assertThat(next.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
        scene.assertHolds(scene.truth().step(0), 0);
    }

    @Test
    void aBatchIsPublishedOnce() {
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 6);
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);

            assertRefused(() -> batch.publish(progress(1), List.of()), "published or closed");
            assertRefused(() -> scene.write(batch, 0, 1), "published or closed");
        }
        scene.publish(producer, 1);
        assertThat(scene.truth().nextStep()).isEqualTo(2);
    }

    @Test
    void aCountNamedTwiceIsRefusedAndTheBatchIsStillGood() {
        List<Count> twice = List.of(new Count("tokens", 1), new Count("tokens", 2));
        try (BatchWriter batch = producer.newBatch()) {
            scene.write(batch, 0, 6);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.publish(progress(1), twice));
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 6", "960, 5", "2000, 2", "1000000, 1"})
    void partsRollAtTheirSize(long partBytes, int parts) {
        Producer rolling = scene.producer("q", new ProducerLimits(8, partBytes), Runnable::run);

        scene.publish(rolling, 5);

        StepRecord step = scene.truth().step(0);
        List<Part> written = step.batch().parts();
        assertThat(written).hasSize(parts);
        assertThat(step.batch().slices()).isEqualTo(6);
        assertThat(scene.payload()).hasSize(parts);
        assertThat(written.subList(0, parts - 1))
                .allSatisfy(part -> assertThat(part.length()).isGreaterThanOrEqualTo(partBytes));
        scene.assertHolds(step, 5);
    }

    @Test
    void anAbandonedBatchOfSeveralPartsLeavesNoTrace() {
        Producer rolling = scene.producer("q", new ProducerLimits(8, 1), Runnable::run);
        try (BatchWriter batch = rolling.newBatch()) {
            scene.write(batch, 0, 5);
        }
        assertThat(scene.payload()).isEmpty();
    }

    /** What was written has left when write returns: memory does not grow with the batch. */
    @Test
    void noSliceIsHeld() {
        try (BatchWriter batch = producer.newBatch()) {
            for (int index = 0; index < 6; index++) {
                try (VectorSchemaRoot slice = Numbers.slice(scene.allocator(), 0, index)) {
                    long before = scene.requests().bytesUp();
                    batch.write(slice);
                    assertThat(scene.requests().bytesUp() - before)
                            .isGreaterThanOrEqualTo(2L * Long.BYTES * Numbers.rows(index));
                }
            }
            long before = scene.requests().bytesUp();
            assertThat(batch.publish(progress(1), List.of())).isCompletedWithValue(0L);
            Commit commit = scene.commits().get(scene.commits().size() - 1);
            assertThat(scene.requests().bytesUp() - before - CommitCodec.encode(commit).remaining())
                    .as("what ends the part")
                    .isLessThan(2_000);
        }
    }

    private void assertNothingHappened() {
        assertThat(scene.payload()).isEmpty();
        assertThat(scene.commits()).as("the opening alone").hasSize(1);
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(call)
                .withMessageStartingWith(
                        "Cannot go on with the batch of " + FIRST + " of train.numbers: ")
                .withMessageContaining(why);
    }
}
