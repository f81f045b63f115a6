package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertPublished;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.state.Verdict.Reason;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("APPLY-5")
@Tag("LOG-7")
class FitTest {
    private final History history = History.of();

    @BeforeEach
    void open() {
        history.open("p");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void batchThatDoesNotFillTheGridIsWithoutEffect(int slices) {
        assertUnfit(
                Entries.batch(1, slices),
                "the batch has " + slices + " slices, the grid dp=2 has 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, Integer.MAX_VALUE})
    void batchOfAnotherSchemaIsWithoutEffect(int schema) {
        assertUnfit(
                new GlobalBatch(schema, List.of(Entries.part(1, 2)), List.of()),
                "the dataset has no schema " + schema);
    }

    @Test
    void slicesMayLieInSeveralParts() {
        GlobalBatch batch =
                new GlobalBatch(0, List.of(Entries.part(1, 1), Entries.part(2, 1)), List.of());

        assertPublished(history.apply(publish(batch)), 0);
    }

    @Test
    void claimOfAnUnfitBatchStaysFree() {
        history.apply(publish(Entries.batch(1, 3)));

        assertPublished(history.apply(publish(Entries.batch(1, 2))), 0);
    }

    /** Otherwise a retry by newer software would be told that its batch was refused. */
    @Test
    void claimIsJudgedBeforeItsBatch() {
        history.apply(publish(Entries.batch(1, 2)));

        assertIgnored(
                history.apply(publish(Entries.batch(1, 3))),
                Reason.ALREADY_IN,
                "producer p epoch 1 sequence 0 is in");
    }

    private void assertUnfit(GlobalBatch batch, String why) {
        State before = history.state();

        assertIgnored(history.apply(publish(batch)), Reason.UNFIT, why);
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    private static Publish publish(GlobalBatch batch) {
        Claim claim = new Claim("p", 1, 0);
        return new Publish(claim, Entries.progress(claim), batch);
    }
}
