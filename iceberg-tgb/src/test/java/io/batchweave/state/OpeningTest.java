package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertPublished;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entries;
import io.batchweave.state.ProducerState.Activity;
import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePVector;

@Tag("APPLY-3")
@Tag("LOG-6")
class OpeningTest {
    @Test
    void epochIsTheVersionOfTheOpening() {
        History history = History.of();
        history.apply(Entries.opening("other", 1));

        assertAccepted(history.apply(Entries.opening("p", 2)));
        assertThat(history.producer("p"))
                .isEqualTo(
                        new ProducerState(
                                2,
                                Entries.id(2),
                                0,
                                Activity.OPEN,
                                Bytes.EMPTY,
                                0,
                                ProducerState.NO_STEP,
                                TreePVector.empty(),
                                History.START.plusSeconds(2)));
    }

    @Test
    void openingAgainFencesAndKeepsWhatWasCommitted() {
        History history = History.of();
        history.apply(Entries.opening("p", 1));
        history.apply(Entries.publish("p", 1, 0));
        ProducerState before = history.producer("p");
        Instant time = History.START.plusSeconds(60);

        assertAccepted(history.applyAt(time, Entries.opening("p", 2)));

        ProducerState after = history.producer("p");
        assertThat(after.epoch()).isEqualTo(3);
        assertThat(after.openingId()).isEqualTo(Entries.id(2));
        assertThat(after.nextSequence()).isEqualTo(before.nextSequence()).isEqualTo(1);
        assertThat(after.progress())
                .isEqualTo(before.progress())
                .isEqualTo(Entries.publish("p", 1, 0).progress());
        assertThat(after.steps()).isEqualTo(1);
        assertThat(after.lastActivity()).isEqualTo(time);
    }

    @Test
    void sameIdAgainIsWithoutEffect() {
        History history = History.of();
        history.apply(Entries.opening("p", 1));
        history.apply(Entries.publish("p", 1, 0));
        State before = history.state();

        assertIgnored(
                history.apply(Entries.opening("p", 1)),
                Reason.ALREADY_IN,
                "this incarnation opened at version 1");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
        assertPublished(history.apply(Entries.publish("p", 1, 1)), 1);
    }

    @Test
    void sameIdTwiceInOneCommitOpensOnce() {
        History history = History.of();

        assertThat(history.apply(Entries.opening("p", 1), Entries.opening("p", 1)))
                .containsExactly(
                        new Accepted(),
                        new Ignored(Reason.ALREADY_IN, "this incarnation opened at version 1"));
    }

    /** Two incarnations of one epoch would both write the same object names. */
    @Test
    void onlyOneIncarnationOpensInOneCommit() {
        History history = History.of();

        assertThat(history.apply(Entries.opening("p", 1), Entries.opening("p", 2)))
                .containsExactly(
                        new Accepted(),
                        new Ignored(
                                Reason.FENCED, "another incarnation opened in the same commit"));
        assertThat(history.producer("p").openingId()).isEqualTo(Entries.id(1));
    }

    @Test
    void onlyOneIncarnationReopensInOneCommit() {
        History history = History.of();
        history.open("p");

        assertReasons(
                history.apply(
                        Entries.opening("p", 1), Entries.opening("p", 2), Entries.opening("q", 3)),
                null,
                Reason.FENCED,
                null);
        assertThat(history.producer("p").epoch()).isEqualTo(2);
        assertThat(history.producer("q").epoch()).isEqualTo(2);
    }

    @Test
    void oneIdOpensAnyNumberOfProducers() {
        History history = History.of();

        assertAccepted(history.apply(Entries.opening("p", 1), Entries.opening("q", 1)));
    }

    @Test
    @Tag("APPLY-9")
    void sealedDatasetOpensToNobody() {
        History history = History.of();
        history.open("p");
        history.apply(Entries.publish("p", 1, 0));
        history.apply(Entries.seal());
        State before = history.state();

        assertIgnored(
                history.apply(Entries.opening("p", 9)),
                Reason.ENDED,
                "the dataset was sealed after 1 steps");
        assertIgnored(
                history.apply(Entries.opening("q", 9)),
                Reason.ENDED,
                "the dataset was sealed after 1 steps");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
    }

    /** A retry that arrives after the seal is still told that it was in. */
    @Test
    void openingThatIsInStaysInAfterTheSeal() {
        History history = History.of();
        history.apply(Entries.opening("p", 1));
        history.apply(Entries.seal());

        assertReasons(history.apply(Entries.opening("p", 1)), Reason.ALREADY_IN);
    }

    @Test
    @Tag("APPLY-9")
    void undeclaredProducerDoesNotOpen() {
        History history = History.of("p", "q");
        State before = history.state();

        assertIgnored(
                history.apply(Entries.opening("r", 1)),
                Reason.NOT_OPEN,
                "the dataset declares the producers p, q and no r");
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
        assertAccepted(history.apply(Entries.opening("q", 1)));
    }

    @Test
    void finishedProducerMayOpenAgain() {
        History history = History.of();
        long epoch = history.open("p");
        history.apply(Entries.finish("p", epoch, 0));

        long next = history.open("p");

        assertThat(history.producer("p").finished()).isFalse();
        assertThat(history.producer("p").progress())
                .isEqualTo(Entries.finish("p", epoch, 0).progress());
        assertPublished(history.apply(Entries.publish("p", next, 1)), 0);
    }

    @Test
    void producersDoNotFenceEachOther() {
        History history = History.of();
        long p = history.open("p");
        long q = history.open("q");
        history.open("q");

        assertPublished(history.apply(Entries.publish("p", p, 0)), 0);
        assertReasons(history.apply(Entries.publish("q", q, 0)), Reason.FENCED);
    }
}
