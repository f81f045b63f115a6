package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.state.State.Phase;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds of every commit, whatever its entries: time, purity, what Applied and State tell. */
class ApplyTest {
    private final History history = History.of();

    @BeforeEach
    void publishTwice() {
        history.open("p");
        history.apply(Entries.publish("p", 1, 0), Entries.publish("p", 1, 1));
    }

    @Test
    @Tag("APPLY-2")
    @Tag("LOG-10")
    void timeNeverStepsBack() {
        Instant latest = History.START.plusSeconds(100);
        history.applyAt(latest, Entries.publish("p", 1, 2));

        history.applyAt(latest.minusMillis(1), Entries.publish("p", 1, 3));
        assertThat(history.state().time()).isEqualTo(latest);
        assertThat(history.state().step(3).at()).isEqualTo(latest);
        assertThat(history.producer("p").lastActivity()).isEqualTo(latest);

        history.applyAt(latest.plusMillis(1), Entries.publish("p", 1, 4));
        assertThat(history.state().time()).isEqualTo(latest.plusMillis(1));
        assertThat(history.state().step(4).at()).isEqualTo(latest.plusMillis(1));
    }

    @Test
    @Tag("APPLY-2")
    void commitWithoutEffectMovesTimeAndVersionOn() {
        State before = history.state();
        Instant later = before.time().plusSeconds(9);

        history.applyAt(later, Entries.publish("p", 1, 0));

        assertThat(history.state().time()).isEqualTo(later);
        assertThat(history.state().version()).isEqualTo(before.version() + 1);
        assertThat(history.producer("p").lastActivity()).isEqualTo(before.time());
    }

    @Test
    @Tag("APPLY-2")
    void timeOfTheFirstCommitIsTheFirstTime() {
        Commit first = History.commit(0, Instant.EPOCH, Entries.dataset("p"));

        assertThat(State.first(first).state().time()).isEqualTo(Instant.EPOCH);
    }

    @Test
    @Tag("LOG-4")
    void applyIsAFunctionOfStateAndCommit() {
        State before = history.state();
        State copy = replay(history.commits());
        Commit commit =
                commit(
                        Entries.publish("p", 1, 2),
                        Entries.opening("p", 5),
                        Entries.finish("p", 3, 3),
                        Entries.seal());

        Applied once = before.apply(commit);

        assertThat(before.apply(commit)).isEqualTo(once);
        assertThat(copy.apply(commit)).isEqualTo(once);
        assertThat(before).as("the State before").isEqualTo(copy);
        assertThat(once.state()).isNotEqualTo(before);
        assertThat(once.state().phase()).isEqualTo(Phase.SEALED);
    }

    @Test
    @Tag("APPLY-9")
    void entryWithoutEffectDoesNotDisturbItsNeighbours() {
        Entry good = Entries.publish("p", 1, 2);
        Entry next = Entries.finish("p", 1, 3);
        State alone = history.state().apply(commit(good, next)).state();

        State among =
                history.state()
                        .apply(
                                commit(
                                        Entries.publish("p", 1, 9),
                                        good,
                                        Entries.publish("stranger", 0, 0),
                                        Entries.publish("p", 1, 0),
                                        Entries.sealIfAllFinished(),
                                        Entries.dataset("other"),
                                        next))
                        .state();

        assertThat(among).isEqualTo(alone);
    }

    @Test
    void commitRepeatsIfAllOfItWasIn() {
        Entry in = Entries.publish("p", 1, 0);
        Entry alsoIn = Entries.publish("p", 1, 1);
        Entry next = Entries.publish("p", 1, 2);
        Entry lost = Entries.publish("p", 1, 7);

        assertThat(history.state().apply(commit(in, alsoIn)).repeats()).isTrue();
        assertThat(history.state().apply(commit(in, next)).repeats()).isFalse();
        assertThat(history.state().apply(commit(next)).repeats()).isFalse();
        assertThat(history.state().apply(commit(in, lost)).repeats()).isFalse();
    }

    @Test
    void commitLosesWhatIsNeitherInNorEffective() {
        Entry in = Entries.publish("p", 1, 0);
        Entry next = Entries.publish("p", 1, 2);
        Entry gap = Entries.publish("p", 1, 7);
        Entry stranger = Entries.publish("stranger", 0, 0);

        assertThat(history.state().apply(commit(in, next)).loss()).isEmpty();
        assertThat(history.state().apply(commit(in, next, gap, stranger)).loss())
                .contains(
                        new Ignored(
                                Reason.GAP,
                                "producer p epoch 1 sequence 7 leaves a gap: the next sequence is"
                                        + " 3"));
        assertThat(history.state().apply(commit(stranger, gap)).loss().orElseThrow().reason())
                .isEqualTo(Reason.NOT_OPEN);
    }

    @Test
    void stepIsFoundByItsClaim() {
        assertThat(history.state().stepOf(new Claim("p", 1, 0))).contains(0L);
        assertThat(history.state().stepOf(new Claim("p", 1, 1))).contains(1L);
        assertThat(history.state().stepOf(new Claim("p", 1, 2))).isEmpty();
        assertThat(history.state().stepOf(new Claim("q", 1, 0))).isEmpty();
        assertThat(history.state().stepOf(new Claim("p", 2, 0))).isEmpty();
    }

    /** No step of an epoch can be older than the epoch, so the search ends there. */
    @Test
    void stepIsFoundBehindLaterStepsAndEpochs() {
        long q = history.open("q");
        history.apply(Entries.publish("q", q, 0));
        long p = history.open("p");
        history.apply(Entries.publish("p", p, 2));

        assertThat(history.state().stepOf(new Claim("p", 1, 0))).contains(0L);
        assertThat(history.state().stepOf(new Claim("q", q, 0))).contains(2L);
        assertThat(history.state().stepOf(new Claim("p", p, 2))).contains(3L);
        assertThat(history.state().stepOf(new Claim("p", p, 0))).isEmpty();
    }

    @Test
    void stepsOfTheCommitThatOpenedTheirEpochAreFound() {
        State state =
                State.first(
                                History.commit(
                                        0,
                                        History.START,
                                        Entries.dataset("p"),
                                        Entries.opening("p", 1),
                                        Entries.publish("p", 0, 0),
                                        Entries.publish("p", 0, 1)))
                        .state();

        assertThat(state.stepOf(new Claim("p", 0, 0))).contains(0L);
    }

    @Test
    void producerThatNeverOpenedIsUnknown() {
        assertThat(history.state().producer("stranger")).isEmpty();
        assertThat(history.state().producer("p")).isPresent();
    }

    private Commit commit(Entry... entries) {
        return History.commit(history.commits().size(), History.START.plusSeconds(99), entries);
    }

    static State replay(List<Commit> commits) {
        State state = State.first(commits.get(0)).state();
        for (Commit commit : commits.subList(1, commits.size())) {
            state = state.apply(commit).state();
        }
        return state;
    }
}
