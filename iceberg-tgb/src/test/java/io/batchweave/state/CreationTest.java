package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertIgnored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Axis;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Feature;
import io.batchweave.model.Feature.RequiredOf;
import io.batchweave.model.SliceGrid;
import io.batchweave.state.State.Phase;
import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Published;
import io.batchweave.state.Verdict.Reason;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("APPLY-1")
class CreationTest {
    @Test
    void versionZeroCreatesTheDataset() {
        CreateDataset created =
                new CreateDataset(
                        Entries.id(9),
                        "{\"a\":1}",
                        List.of(new Axis("dp", 4), new Axis("cp", 2)),
                        List.of("p", "q"),
                        List.of(new Feature("woven", RequiredOf.WRITERS)));
        Applied applied = first(created);
        State state = applied.state();

        assertThat(applied.verdicts()).containsExactly(new Accepted());
        assertThat(state.version()).isZero();
        assertThat(state.dataset().id()).isEqualTo(Entries.id(9));
        assertThat(state.dataset().schema()).isEqualTo("{\"a\":1}");
        assertThat(state.dataset().grid()).isEqualTo(SliceGrid.parse("dp=4,cp=2"));
        assertThat(state.dataset().producers()).containsExactly("p", "q");
        assertThat(state.dataset().features()).isEqualTo(created.features());
        assertThat(state.time()).isEqualTo(History.START);
        assertThat(state.phase()).isEqualTo(Phase.OPEN);
        assertThat(state.nextStep()).isZero();
        assertThat(state.producers()).isEmpty();
        assertThat(state.receiptBefore(0)).contains(state.receipt());
        assertThat(state.receipt().length()).isEqualTo(Bytes.SHA256_BYTES);
    }

    @Test
    void logThatStartsOtherwiseIsCorrupt() {
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> first(Entries.opening("p", 1)))
                .withMessage(
                        "Cannot apply commit "
                                + Entries.id(0)
                                + " as version 0: it creates no dataset");
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> first(Entries.opening("p", 1), Entries.dataset("p")));
    }

    @Test
    void otherEntriesOfVersionZeroCountAsWell() {
        Applied applied =
                first(Entries.dataset("p"), Entries.opening("p", 1), Entries.publish("p", 0, 0));

        assertThat(applied.verdicts())
                .containsExactly(new Accepted(), new Accepted(), new Published(0));
        assertThat(applied.state().producer("p").orElseThrow().epoch()).isZero();
    }

    @Test
    @Tag("APPLY-9")
    void creatingTheDatasetAgainIsWithoutEffect() {
        History history = History.of("p");
        State before = history.state();

        assertIgnored(
                history.apply(Entries.dataset("q")),
                Reason.ALREADY_IN,
                "the dataset was created at version 0");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    @Test
    @Tag("APPLY-9")
    void creatingItTwiceInVersionZeroIsWithoutEffect() {
        Applied applied = first(Entries.dataset("p"), Entries.dataset("q"));

        assertIgnored(
                applied.verdicts().subList(1, 2),
                Reason.ALREADY_IN,
                "the dataset was created at version 0");
        assertThat(applied.state()).isEqualTo(first(Entries.dataset("p")).state());
    }

    @Test
    @Tag("APPLY-9")
    void creatingAnotherDatasetInItsLogIsWithoutEffect() {
        History history = History.of("p");
        State before = history.state();
        CreateDataset other =
                new CreateDataset(
                        Entries.id(5), "{}", List.of(new Axis("dp", 9)), List.of(), List.of());

        assertIgnored(history.apply(other), Reason.UNFIT, "another dataset has this log");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    @Test
    @Tag("LOG-9")
    void featureThatEveryoneMustKnowIsRefused() {
        Feature ours = new Feature("known-to-writers", RequiredOf.WRITERS);
        Feature newer = new Feature("woven", RequiredOf.EVERYONE);

        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> first(Entries.dataset(ours, newer)))
                .withMessage(
                        "Cannot read the dataset: it requires the feature 'woven', which this"
                                + " version of BatchWeave does not know; upgrade BatchWeave");
    }

    @Test
    @Tag("LOG-9")
    void featureThatWritersMustKnowDoesNotKeepReadersOut() {
        Feature newer = new Feature("woven", RequiredOf.WRITERS);

        assertThat(first(Entries.dataset(newer)).state().dataset().features())
                .containsExactly(newer);
    }

    private static Applied first(Entry... entries) {
        Commit commit = History.commit(0, History.START, entries);
        return State.first(commit);
    }
}
