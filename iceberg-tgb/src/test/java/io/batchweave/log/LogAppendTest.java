package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Feature;
import io.batchweave.model.Feature.RequiredOf;
import io.batchweave.state.History;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Appending, while the store answers. */
class LogAppendTest {
    private final Stage stage = new Stage();
    private final Log log = stage.create();

    @Test
    void appendWithoutARivalIsOneRequest() {
        log.append(List.of(Entries.opening("p", 1)));
        log.append(List.of(Entries.publish("p", 1, 0)));
        State state = log.append(List.of(Entries.publish("p", 1, 1)));

        assertThat(stage.creates()).isEqualTo(3);
        assertThat(stage.reads()).isZero();
        assertThat(stage.clock.pauses()).isEmpty();
        assertThat(state).isEqualTo(log.state()).isEqualTo(stage.truth());
        assertThat(state.nextStep()).isEqualTo(2);
    }

    @Test
    @Tag("LOG-2")
    @Tag("LOG-3")
    void loserOffersTheNextVersion() {
        stage.rivalAppends(Entries.opening("q", 1));

        State state = log.append(List.of(Entries.opening("p", 2)));

        assertThat(state.producer("q").orElseThrow().epoch()).isEqualTo(1);
        assertThat(state.producer("p").orElseThrow().epoch()).isEqualTo(2);
        assertThat(stage.creates()).isEqualTo(2);
        assertThat(state).isEqualTo(stage.truth());
    }

    @Test
    @Tag("LOG-2")
    void loserReadsEveryVersionBeforeItOffersAgain() {
        for (int i = 0; i < 5; i++) {
            stage.rivalAppends(Entries.opening("q", i));
        }

        State state = log.append(List.of(Entries.opening("p", 99)));

        assertThat(state.version()).isEqualTo(6);
        assertThat(stage.creates()).isEqualTo(2);
        assertThat(stage.reads())
                .as("five commits, and the absent sixth before and after it pauses")
                .isEqualTo(7);
    }

    /** Or it would lose again, and pause for longer, for as long as others append. */
    @Test
    @Tag("LOG-2")
    void loserReadsWhatCameWhileItPausedBeforeItOffersAgain() {
        stage.rivalAppends(Entries.opening("q", 0));
        stage.clock.whilePausing(
                pause -> {
                    for (int i = 1; i < 4; i++) {
                        stage.rivalAppends(Entries.opening("q", i));
                    }
                });

        State state = log.append(List.of(Entries.opening("p", 99)));

        assertThat(state.version()).isEqualTo(5);
        assertThat(stage.creates()).isEqualTo(2);
    }

    @Test
    void loserLosesAgainAndAgain() {
        for (int i = 0; i < 4; i++) {
            int id = i;
            stage.before(Kind.CREATE, () -> stage.rivalAppends(Entries.opening("q", id)));
        }

        State state = log.append(List.of(Entries.opening("p", 99)));

        assertThat(state.producer("p").orElseThrow().epoch()).isEqualTo(5);
        assertThat(stage.clock.pauses()).as("one before each further offer").hasSize(4);
    }

    /** Whoever lost is likely to be behind again; whoever won at once is not. */
    @Test
    void loserLooksBeforeItsNextAppend() {
        stage.rivalAppends(Entries.opening("q", 1));
        log.append(List.of(Entries.opening("p", 2)));
        stage.rivalAppends(Entries.opening("q", 3));
        stage.forgetRequests();

        log.append(List.of(Entries.publish("p", 2, 0)));
        assertThat(stage.creates()).isEqualTo(1);
        assertThat(stage.reads()).as("the rival's commit and the absent one").isEqualTo(2);

        stage.forgetRequests();
        log.append(List.of(Entries.publish("p", 2, 1)));
        assertThat(stage.creates()).isEqualTo(1);
        assertThat(stage.reads()).isZero();
    }

    @Test
    void whatIsInIsNotOfferedAgain() {
        log.append(List.of(Entries.opening("p", 1)));
        log.append(List.of(Entries.publish("p", 1, 0)));
        stage.forgetRequests();

        State state = log.append(List.of(Entries.publish("p", 1, 0)));

        assertThat(state.nextStep()).isEqualTo(1);
        assertThat(stage.creates()).isZero();
        assertThat(stage.commits()).hasSize(3);
    }

    @Test
    void whatIsMissingIsOfferedTogetherWithWhatIsIn() {
        log.append(List.of(Entries.opening("p", 1)));
        log.append(List.of(Entries.publish("p", 1, 0)));

        State state = log.append(List.of(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1)));

        assertThat(state.nextStep()).isEqualTo(2);
        assertThat(stage.truth().nextStep()).isEqualTo(2);
    }

    @Test
    @Tag("LOG-7")
    void batchThatDoesNotFitIsRefusedBeforeItIsOffered() {
        log.append(List.of(Entries.opening("p", 1)));
        stage.forgetRequests();
        Publish unfit = new Publish(new Claim("p", 1, 0), Bytes.EMPTY, Entries.batch(1, 3));

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> log.append(List.of(unfit)))
                .withMessage(
                        "Cannot append to the log of train.pretrain in memory:/// at version 2: the"
                                + " batch has 3 slices, the grid dp=2 has 2");
        assertThat(stage.creates()).isZero();
        assertThat(stage.commits()).hasSize(2);
    }

    @Test
    @Tag("LOG-7")
    void entryThatIsLostKeepsItsCompanyOut() {
        log.append(List.of(Entries.opening("p", 1)));
        stage.forgetRequests();
        List<Entry> entries = List.of(Entries.publish("p", 1, 0), Entries.publish("p", 1, 2));

        assertThatExceptionOfType(FencedException.class)
                .isThrownBy(() -> log.append(entries))
                .withMessageEndingWith("leaves a gap: the next sequence is 1");
        assertThat(stage.creates()).isZero();
        assertThat(stage.truth().nextStep()).isZero();
    }

    @Test
    void commitWithoutEntriesMakesNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> log.append(List.of()));
        assertThat(stage.creates()).isZero();
    }

    @Test
    @Tag("LOG-9")
    void writerThatDoesNotKnowAFeatureReadsOnly() {
        Stage newer = new Stage();
        newer.memory.create(
                newer.key(0),
                CommitCodec.encode(
                        History.commit(
                                0,
                                newer.clock.instant(),
                                Entries.dataset(new Feature("woven", RequiredOf.WRITERS)),
                                Entries.opening("p", 1))));
        Log reader = newer.open();

        assertThat(reader.state().producer("p")).isPresent();
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> reader.append(List.of(Entries.seal())))
                .withMessage(
                        "Cannot write to dataset train.pretrain in memory:///: writers must know the"
                                + " feature 'woven', which this version of BatchWeave does not;"
                                + " upgrade BatchWeave");
        assertThat(newer.creates()).isZero();
        assertThat(newer.reads()).isZero();
    }

    @Test
    void storeThatTakesNothingIsUnavailableAndTheNextAppendWorks() {
        stage.next(Kind.CREATE, Fault.UNAVAILABLE);
        List<Entry> entries = List.of(Entries.opening("p", 1));

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> log.append(entries))
                .withMessageContaining("planned: UNAVAILABLE");
        assertThat(stage.commits()).hasSize(1);
        assertThat(log.append(entries).producer("p").orElseThrow().epoch()).isEqualTo(1);
        assertThat(stage.commits()).hasSize(2);
    }

    @Test
    void storeThatCannotBeReadIsUnavailableBeforeAnythingIsOffered() {
        stage.rivalAppends(Entries.opening("q", 1));
        log.append(List.of(Entries.opening("p", 2)));
        stage.forgetRequests();
        stage.next(Kind.READ, Fault.UNAVAILABLE);

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> log.append(List.of(Entries.publish("p", 2, 0))));
        assertThat(stage.creates()).isZero();
    }
}
