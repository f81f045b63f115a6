package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.testing.HandExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Folds beside a producer, which neither waits for one nor fails with it. */
class BackgroundFoldTest {
    private static final Duration LAST_MOST = Duration.ofSeconds(20);

    private final FaultyCatalog catalog = new FaultyCatalog();
    private final FoldStage stage = new FoldStage(catalog);
    private final HandExecutor folder = new HandExecutor();
    private final List<String> told = new ArrayList<>();

    private BackgroundFold every(int commits) {
        return every(commits, stage::fold, folder);
    }

    private BackgroundFold every(int commits, Supplier<Fold> opener, Executor executor) {
        return BackgroundFold.every(commits, opener, executor, stage.clock.world(99), told::add);
    }

    private void publish(BackgroundFold folding, int commits) {
        for (int i = 0; i < commits; i++) {
            stage.publish(1);
            folding.committed();
        }
    }

    /** Whoever waits lets the executor run. */
    private void letTheFolderRun() {
        stage.clock.whileAwaiting(most -> folder.runAll());
    }

    @Test
    void aFoldFollowsSoManyCommits() {
        BackgroundFold folding = every(3);
        publish(folding, 2);
        assertThat(folder.waiting()).isZero();
        publish(folding, 1);
        assertThat(folder.waiting()).isEqualTo(1);

        folder.runAll();

        assertThat(stage.rows(ViewTable.STEPS)).hasSize(3);
        publish(folding, 2);
        assertThat(folder.waiting()).isZero();
        publish(folding, 1);
        folder.runAll();
        stage.assertWhole();
        assertThat(told).isEmpty();
    }

    @Test
    void oneFoldIsUnderWayAtATimeAndTheNextAddsWhatCameMeanwhile() {
        BackgroundFold folding = every(2);
        publish(folding, 2);
        catalog.beforeCommit(
                () -> {
                    publish(folding, 4);
                    assertThat(folder.waiting()).isZero();
                });

        folder.runNext();

        assertThat(folder.waiting()).isZero();
        stage.assertWhole();
        publish(folding, 2);
        assertThat(folder.waiting()).isEqualTo(1);
    }

    @Test
    void aCatalogThatIsAwayIsToldOfOnceAndFoldedIntoWhenItIsBack() {
        BackgroundFold folding = every(1);
        catalog.away(true);
        for (int i = 0; i < 3; i++) {
            publish(folding, 1);
            folder.runAll();
        }
        assertThat(folding.failures()).isEqualTo(3);
        assertThat(told)
                .singleElement()
                .asString()
                .contains("The view lags, and publishing goes on");
        assertThat(told).singleElement().asString().contains("the catalog is away");

        catalog.away(false);
        publish(folding, 1);
        folder.runAll();

        stage.assertWhole();
        catalog.away(true);
        publish(folding, 1);
        folder.runAll();
        assertThat(told).hasSize(2);
    }

    @Test
    void whatCannotBeOpenedIsOpenedLater() {
        List<String> opened = new ArrayList<>();
        BackgroundFold folding =
                every(
                        1,
                        () -> {
                            opened.add("once more");
                            if (opened.size() == 1) {
                                throw new NoClassDefFoundError("Driver");
                            }
                            return stage.fold();
                        },
                        folder);
        assertThat(opened).isEmpty();
        publish(folding, 1);
        assertThat(opened).as("publishing opens nothing").isEmpty();
        folder.runAll();
        assertThat(told).singleElement().asString().endsWith("Driver");

        publish(folding, 2);
        folder.runAll();
        publish(folding, 1);
        folder.runAll();

        assertThat(opened).hasSize(2);
        stage.assertWhole();
    }

    @Test
    void anExecutorThatTakesNothingFailsNoCommit() {
        BackgroundFold folding =
                every(
                        1,
                        stage::fold,
                        task -> {
                            throw new RejectedExecutionException("shut down");
                        });
        publish(folding, 3);

        assertThat(folding.failures()).isEqualTo(3);
        assertThat(told).hasSize(1);
        assertThat(folding.finish(LAST_MOST)).isEmpty();
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).contains("all is published: the last fold failed: shut down");
    }

    @Test
    void theLastFoldAddsWhatIsLeft() {
        BackgroundFold folding = every(5);
        publish(folding, 7);
        letTheFolderRun();

        assertThat(folding.finish(LAST_MOST).orElseThrow().nextStep()).isEqualTo(7);
        stage.assertWhole();
        assertThat(told).isEmpty();
    }

    @Test
    void theLastFoldComesBehindOneThatIsUnderWay() {
        BackgroundFold folding = every(1);
        publish(folding, 1);
        catalog.beforeCommit(() -> stage.publish(3));
        letTheFolderRun();

        assertThat(folding.finish(LAST_MOST).orElseThrow().nextStep()).isEqualTo(4);
        stage.assertWhole();
    }

    @Test
    void aLastFoldThatDoesNotEndIsGivenUp() {
        BackgroundFold folding = every(1);
        publish(folding, 1);
        stage.clock.whileAwaiting(most -> {});
        Instant before = stage.clock.instant();

        assertThat(folding.finish(LAST_MOST)).isEmpty();

        assertThat(Duration.between(before, stage.clock.instant())).isEqualTo(LAST_MOST);
        assertThat(told)
                .containsExactly(
                        "The view lags, and all is published: the last fold has not ended in time;"
                                + " fold once more to bring it up to date");
        folder.runAll();
        stage.assertWhole();
    }

    @Test
    void aLastFoldThatFailsIsToldOfOnce() {
        BackgroundFold folding = every(3);
        publish(folding, 1);
        catalog.away(true);
        letTheFolderRun();

        assertThat(folding.finish(LAST_MOST)).isEmpty();

        assertThat(told).singleElement().asString().contains("the catalog is away");
        assertThat(told).singleElement().asString().contains("all is published");
    }

    @Test
    void whatCommitsAfterwardsIsNotFolded() {
        BackgroundFold folding = every(1);
        letTheFolderRun();
        assertThat(folding.finish(LAST_MOST)).isPresent();
        publish(folding, 3);
        assertThat(folder.waiting()).isZero();
    }

    @Test
    void afterAFailureOfThePublishingNothingIsBegunOrToldAnyMore() {
        BackgroundFold folding = every(1);
        publish(folding, 1);
        catalog.away(true);
        folding.close();
        folder.runAll();
        publish(folding, 1);

        assertThat(folder.waiting()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void twoBesideTwoProducersFoldEachStepOnce() {
        BackgroundFold one = every(2);
        BackgroundFold other = every(3);
        for (int i = 0; i < 10; i++) {
            publish(one, 1);
            publish(other, 1);
            if (i % 3 == 2) {
                catalog.beforeCommit(folder::runAll);
                folder.runAll();
            }
        }
        letTheFolderRun();
        assertThat(one.finish(LAST_MOST)).isPresent();
        assertThat(other.finish(LAST_MOST)).isPresent();
        stage.assertWhole();
        assertThat(told).isEmpty();
    }

    @Test
    void soManyIsAtLeastOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> every(0));
    }
}
