package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.batchweave.model.Axis;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order of steps, and the receipt that tells one order from another. */
@Tag("APPLY-6")
@Tag("LOG-4")
class StepTest {
    private static final Part ONE = Entries.part(1, 1);
    private static final Part TWO = Entries.part(2, 1);

    @Test
    void stepsAreConsecutiveInTheOrderOfTheLog() {
        History history = History.of();
        history.apply(Entries.opening("p", 1), Entries.opening("q", 2));
        history.apply(Entries.publish("q", 1, 0), Entries.publish("p", 1, 0));
        history.apply(Entries.publish("p", 1, 5));
        history.apply(Entries.publish("p", 1, 1));

        State state = history.state();
        assertThat(state.nextStep()).isEqualTo(3);
        assertThat(state.steps().recent())
                .extracting(StepRecord::step, StepRecord::version, StepRecord::claim)
                .containsExactly(
                        tuple(0L, 2L, new Claim("q", 1, 0)),
                        tuple(1L, 2L, new Claim("p", 1, 0)),
                        tuple(2L, 4L, new Claim("p", 1, 1)));
    }

    @Test
    void receiptChainsIdentityStepsAndDigests() {
        History history = History.of();
        history.open("p");
        GlobalBatch first = new GlobalBatch(0, List.of(ONE, TWO), List.of());
        GlobalBatch second = Entries.batch(7, 2);
        history.apply(publish(0, first));
        history.apply(publish(1, second));

        State state = history.state();
        Bytes start =
                sha256(
                        out ->
                                out.write(
                                        ("batchweave receipt " + Entries.id(0))
                                                .getBytes(StandardCharsets.US_ASCII)));
        Bytes afterFirst = chained(start, 0, first);
        Bytes afterSecond = chained(afterFirst, 1, second);
        assertThat(state.receiptBefore(0)).contains(start);
        assertThat(state.receiptBefore(1)).contains(afterFirst);
        assertThat(state.step(0).receipt()).isEqualTo(afterFirst);
        assertThat(state.receiptBefore(2)).contains(afterSecond);
        assertThat(state.receipt()).isEqualTo(afterSecond);
    }

    /** SHA-256 of the receipt before, the step, and of each part its digest and its slices. */
    private static Bytes chained(Bytes before, long step, GlobalBatch batch) {
        return sha256(
                out -> {
                    out.write(before.toArray());
                    out.writeLong(step);
                    for (Part part : batch.parts()) {
                        out.write(part.digest().toArray());
                        out.writeInt(part.slices().size());
                    }
                });
    }

    @Test
    void receiptIsAsItAlwaysWas() {
        History history = History.of();
        history.open("p");
        history.apply(publish(0, Entries.batch(1, 2)));

        assertThat(history.state().receipt())
                .hasToString("27d3c1a059f72ccc41135c2c4191a094a0b8df2f98d38de120901950b54eeb7d");
    }

    @Test
    void receiptDiffersWhereTrainersWereGivenOtherBytes() {
        Bytes receipt =
                receiptAfter(Entries.id(0), new GlobalBatch(0, List.of(ONE, TWO), List.of()));

        assertThat(receiptAfter(Entries.id(0), new GlobalBatch(0, List.of(ONE, TWO), List.of())))
                .isEqualTo(receipt);
        assertThat(
                        List.of(
                                receiptAfter(
                                        Entries.id(1),
                                        new GlobalBatch(0, List.of(ONE, TWO), List.of())),
                                receiptAfter(
                                        Entries.id(0),
                                        new GlobalBatch(0, List.of(TWO, ONE), List.of())),
                                receiptAfter(
                                        Entries.id(0),
                                        new GlobalBatch(
                                                0, List.of(ONE, Entries.part(3, 1)), List.of())),
                                receiptAfter(Entries.id(0), Entries.batch(1, 2)),
                                receiptAfter(Entries.id(0), Entries.batch(2, 2))))
                .doesNotContain(receipt)
                .doesNotHaveDuplicates();
    }

    @Test
    void receiptDoesNotDependOnWhoPublishedOrWhatElseWasSaid() {
        History one = History.of();
        one.open("p");
        one.apply(publish(0, Entries.batch(1, 2)));
        History other = History.of();
        other.open("q");
        other.open("p");
        GlobalBatch counted =
                new GlobalBatch(0, Entries.batch(1, 2).parts(), List.of(new Count("tokens", 9)));
        other.apply(new Publish(new Claim("p", 2, 0), Bytes.fromHex("aa"), counted));

        assertThat(other.state().receipt()).isEqualTo(one.state().receipt());
    }

    @Test
    void sameBatchAtALaterStepGivesAnotherReceipt() {
        assertThat(Receipts.next(Bytes.EMPTY, 0, Entries.batch(1, 2)))
                .isNotEqualTo(Receipts.next(Bytes.EMPTY, 1, Entries.batch(1, 2)));
    }

    @Test
    void stepThatIsNotThereIsNotMadeUp() {
        State state = History.of().state();

        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> state.step(0));
        assertThat(state.receiptBefore(1)).isEmpty();
    }

    private static Bytes receiptAfter(String datasetId, GlobalBatch batch) {
        History history =
                History.of(
                        new CreateDataset(
                                datasetId, "{}", List.of(new Axis("dp", 2)), List.of(), List.of()));
        history.open("p");
        history.apply(publish(0, batch));
        assertThat(history.state().nextStep()).isEqualTo(1);
        return history.state().receipt();
    }

    private static Publish publish(long sequence, GlobalBatch batch) {
        return new Publish(new Claim("p", 1, sequence), Bytes.EMPTY, batch);
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static Bytes sha256(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Bytes.copyOf(Bytes.sha256().digest(bytes.toByteArray()));
    }
}
