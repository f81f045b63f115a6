package io.batchweave.state;

import static io.batchweave.state.Verdicts.assertAccepted;
import static io.batchweave.state.Verdicts.assertIgnored;
import static io.batchweave.state.Verdicts.assertPublished;
import static io.batchweave.state.Verdicts.assertReasons;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entries;
import io.batchweave.state.ProducerState.Activity;
import io.batchweave.state.State.Phase;
import io.batchweave.state.Verdict.Reason;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePVector;

/** How a producer and a dataset come to their ends. */
class EndTest {
    @Nested
    @Tag("APPLY-7")
    class FinishingTest {
        @Test
        void finishTakesASequenceAndKeepsTheLastProgress() {
            History history = History.of();
            history.open("p");
            history.apply(Entries.publish("p", 1, 0));

            assertAccepted(history.apply(Entries.finish("p", 1, 1)));
            assertThat(history.producer("p"))
                    .isEqualTo(
                            new ProducerState(
                                    1,
                                    Entries.id(1_001),
                                    2,
                                    Activity.FINISHED,
                                    Entries.finish("p", 1, 1).progress(),
                                    1,
                                    0,
                                    TreePVector.empty(),
                                    History.START.plusSeconds(3)));
            assertReasons(history.apply(Entries.finish("p", 1, 1)), Reason.ALREADY_IN);
        }

        @Test
        void lastDeclaredProducerToFinishSeals() {
            History history = History.of("p", "q");
            history.open("p");
            history.open("q");

            history.apply(Entries.finish("q", 2, 0));
            assertThat(history.state().phase()).isEqualTo(Phase.OPEN);
            assertThat(history.state().unfinished()).containsExactly("p");
            assertPublished(history.apply(Entries.publish("p", 1, 0)), 0);

            history.apply(Entries.finish("p", 1, 1));
            assertThat(history.state().phase()).isEqualTo(Phase.SEALED);
            assertThat(history.state().unfinished()).isEmpty();
        }

        @Test
        void lastFinishSealsForTheEntriesBehindItInItsCommit() {
            History history = History.of("p");
            history.open("p");

            assertReasons(
                    history.apply(
                            Entries.publish("p", 1, 0),
                            Entries.finish("p", 1, 1),
                            Entries.opening("p", 9)),
                    null,
                    null,
                    Reason.ENDED);
        }

        @Test
        void declaredProducerThatNeverOpenedIsWaitedFor() {
            History history = History.of("p", "q");
            history.open("p");

            history.apply(Entries.finish("p", 1, 0));

            assertThat(history.state().phase()).isEqualTo(Phase.OPEN);
            assertThat(history.state().unfinished()).containsExactly("q");
        }

        @Test
        void finishOfAnUndeclaredProducerSealsNothing() {
            History history = History.of();
            history.open("p");

            history.apply(Entries.finish("p", 1, 0));

            assertThat(history.state().unfinished()).isEmpty();
            assertThat(history.state().phase()).isEqualTo(Phase.OPEN);
            assertAccepted(history.apply(Entries.opening("q", 9)));
        }

        @Test
        void producerThatReopensIsUnfinishedAgain() {
            History history = History.of("p", "q");
            history.open("p");
            history.open("q");
            history.apply(Entries.finish("p", 1, 0));
            long again = history.open("p");

            history.apply(Entries.finish("q", 2, 0));
            assertThat(history.state().phase()).isEqualTo(Phase.OPEN);

            history.apply(Entries.finish("p", again, 1));
            assertThat(history.state().phase()).isEqualTo(Phase.SEALED);
        }

        @Test
        void unfinishedAreNamedDeclaredFirst() {
            History history = History.of("z", "a", "m");
            history.open("a");
            history.open("z");
            assertThat(history.state().unfinished()).containsExactly("z", "a", "m");

            History open = History.of();
            open.open("z");
            open.open("a");
            assertThat(open.state().unfinished()).containsExactly("a", "z");
        }
    }

    @Nested
    @Tag("APPLY-8")
    class SealingTest {
        @Test
        void sealEndsTheDatasetWhateverProducersAreDoing() {
            History history = History.of();
            history.open("p");

            assertAccepted(history.apply(Entries.seal()));
            assertThat(history.state().phase()).isEqualTo(Phase.SEALED);
            assertReasons(history.apply(Entries.publish("p", 1, 0)), Reason.ENDED);
        }

        @Test
        @Tag("APPLY-9")
        void conditionalSealWaitsForEveryProducer() {
            History history = History.of();
            history.open("p");
            history.open("q");
            history.apply(Entries.finish("q", 2, 0));
            State before = history.state();

            assertIgnored(
                    history.apply(Entries.sealIfAllFinished()),
                    Reason.UNFIT,
                    "not finished: producer p");
            assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
            assertPublished(history.apply(Entries.publish("p", 1, 0)), 0);

            history.apply(Entries.finish("p", 1, 1));
            assertAccepted(history.apply(Entries.sealIfAllFinished()));
            assertThat(history.state().phase()).isEqualTo(Phase.SEALED);
        }

        @Test
        void conditionalSealWaitsForDeclaredProducersThatNeverOpened() {
            History history = History.of("p", "q");

            assertIgnored(
                    history.apply(Entries.sealIfAllFinished()),
                    Reason.UNFIT,
                    "not finished: producer p, q");
        }

        @Test
        void conditionalSealOfADatasetThatNobodyOpenedCounts() {
            History history = History.of();

            assertAccepted(history.apply(Entries.sealIfAllFinished()));
        }

        @Test
        void conditionIsJudgedWhereTheSealStandsInItsCommit() {
            History history = History.of();
            history.open("p");

            assertReasons(
                    history.apply(
                            Entries.sealIfAllFinished(),
                            Entries.finish("p", 1, 0),
                            Entries.sealIfAllFinished()),
                    Reason.UNFIT,
                    null,
                    null);
        }

        @Test
        void sealingAgainIsWithoutEffect() {
            History history = History.of();
            history.open("p");
            history.apply(Entries.publish("p", 1, 0));
            history.apply(Entries.seal());
            State before = history.state();

            assertIgnored(
                    history.apply(Entries.seal()),
                    Reason.ALREADY_IN,
                    "the dataset was sealed after 1 steps");
            assertReasons(history.apply(Entries.sealIfAllFinished()), Reason.ALREADY_IN);
            assertThat(History.timeless(history.state())).isEqualTo(History.timeless(before));
        }
    }
}
