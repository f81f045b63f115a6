package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertPublished;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.state.ProducerState.Activity;
import io.batchweave.state.Verdict.Reason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePVector;

@Tag("APPLY-4")
@Tag("LOG-4")
class ClaimTest {
    private final History history = History.of();

    @BeforeEach
    void open() {
        history.open("p");
        history.apply(Entries.publish("p", 1, 0));
    }

    @Test
    @Tag("LOG-5")
    void batchClaimAndProgressAreInTogether() {
        Publish entry = Entries.publish("p", 1, 1);

        assertPublished(history.apply(entry), 1);

        assertThat(history.producer("p"))
                .isEqualTo(
                        new ProducerState(
                                1,
                                Entries.id(1_001),
                                2,
                                Activity.OPEN,
                                entry.progress(),
                                2,
                                1,
                                TreePVector.empty(),
                                History.START.plusSeconds(3)));
        StepRecord step = history.state().step(1);
        assertThat(step.step()).isEqualTo(1);
        assertThat(step.version()).isEqualTo(3);
        assertThat(step.at()).isEqualTo(History.START.plusSeconds(3));
        assertThat(step.claim()).isEqualTo(new Claim("p", 1, 1));
        assertThat(step.batch()).isEqualTo(entry.batch());
        assertThat(step.receipt()).isEqualTo(history.state().receipt());
    }

    @Test
    void claimThatIsInIsWithoutEffect() {
        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 0),
                Reason.ALREADY_IN,
                "producer p epoch 1 sequence 0 is in");
    }

    /** What is in is in: a second batch under the same claim changes nothing. */
    @Test
    void sameClaimWithAnotherBatchIsWithoutEffect() {
        Publish other =
                new Publish(new Claim("p", 1, 0), Bytes.fromHex("ff"), Entries.batch(77, 2));

        assertIgnoredWithoutEffect(other, Reason.ALREADY_IN, "producer p epoch 1 sequence 0 is in");
    }

    @Test
    void claimTwiceInOneCommitPublishesOnce() {
        Publish entry = Entries.publish("p", 1, 1);

        assertReasons(history.apply(entry, entry), null, Reason.ALREADY_IN);
        assertThat(history.state().nextStep()).isEqualTo(2);
    }

    @Test
    void claimsInOneCommitFollowEachOther() {
        assertPublished(
                history.apply(
                        Entries.publish("p", 1, 1),
                        Entries.publish("p", 1, 2),
                        Entries.publish("p", 1, 3)),
                1,
                2,
                3);
    }

    @Test
    void claimsOutOfOrderInOneCommitLeaveAGap() {
        assertReasons(
                history.apply(Entries.publish("p", 1, 2), Entries.publish("p", 1, 1)),
                Reason.GAP,
                null);
        assertThat(history.producer("p").nextSequence()).isEqualTo(2);
    }

    @Test
    void claimAfterAGapIsWithoutEffect() {
        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 2),
                Reason.GAP,
                "producer p epoch 1 sequence 2 leaves a gap: the next sequence is 1");
        assertIgnoredWithoutEffect(
                Entries.finish("p", 1, 2),
                Reason.GAP,
                "producer p epoch 1 sequence 2 leaves a gap: the next sequence is 1");
    }

    @Test
    void claimOfAProducerThatNeverOpenedIsWithoutEffect() {
        assertIgnoredWithoutEffect(
                Entries.publish("stranger", 0, 0),
                Reason.NOT_OPEN,
                "producer stranger epoch 0 sequence 0 never opened");
        assertIgnoredWithoutEffect(
                Entries.finish("stranger", 0, 0),
                Reason.NOT_OPEN,
                "producer stranger epoch 0 sequence 0 never opened");
    }

    @Test
    void claimOfAnEpochThatNeverOpenedIsWithoutEffect() {
        assertIgnoredWithoutEffect(
                Entries.publish("p", 2, 1),
                Reason.NOT_OPEN,
                "producer p epoch 2 sequence 1 never opened");
    }

    @Test
    void claimOfAFencedEpochIsWithoutEffect() {
        long next = history.open("p");

        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 1),
                Reason.FENCED,
                "producer p epoch 1 was replaced by epoch " + next);
        assertIgnoredWithoutEffect(
                Entries.finish("p", 1, 1),
                Reason.FENCED,
                "producer p epoch 1 was replaced by epoch " + next);
    }

    @Test
    void sequenceGoesOnInTheNextEpoch() {
        long next = history.open("p");

        assertIgnoredWithoutEffect(
                Entries.publish("p", next, 0),
                Reason.ALREADY_IN,
                "producer p epoch 3 sequence 0 is in");
        assertPublished(history.apply(Entries.publish("p", next, 1)), 1);
        assertThat(history.producer("p").steps()).isEqualTo(2);
    }

    @Test
    void fencedEpochStaysFencedInTheCommitThatFencesIt() {
        assertReasons(
                history.apply(
                        Entries.publish("p", 1, 1),
                        Entries.opening("p", 7),
                        Entries.publish("p", 1, 2),
                        Entries.publish("p", 3, 2)),
                null,
                null,
                Reason.FENCED,
                null);
    }

    @Test
    void retryOfWhatIsInStaysInAfterTheSeal() {
        history.apply(Entries.seal());

        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 0),
                Reason.ALREADY_IN,
                "producer p epoch 1 sequence 0 is in");
    }

    @Test
    void nothingIsPublishedAfterTheSeal() {
        history.apply(Entries.seal());

        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 1), Reason.ENDED, "the dataset was sealed after 1 steps");
        assertIgnoredWithoutEffect(
                Entries.finish("p", 1, 1), Reason.ENDED, "the dataset was sealed after 1 steps");
    }

    @Test
    void nothingIsPublishedAfterTheFinish() {
        assertAccepted(history.apply(Entries.finish("p", 1, 1)));

        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 2), Reason.ENDED, "producer p had finished");
        assertIgnoredWithoutEffect(
                Entries.publish("p", 1, 1),
                Reason.ALREADY_IN,
                "producer p epoch 1 sequence 1 is in");
    }

    @Test
    void fencedIsSaidBeforeAnythingElse() {
        history.apply(Entries.finish("p", 1, 1));
        history.open("p");
        history.apply(Entries.seal());

        assertReasons(history.apply(Entries.publish("p", 1, 0)), Reason.FENCED);
        assertReasons(history.apply(Entries.publish("p", 1, 9)), Reason.FENCED);
    }

    @Tag("APPLY-9")
    private void assertIgnoredWithoutEffect(Entry entry, Reason reason, String why) {
        State before = history.state();

        assertIgnored(history.apply(entry), reason, why);
        assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
        assertThat(history.state().version()).isEqualTo(before.version() + 1);
    }
}
