package io.batchweave.steps;

import io.batchweave.steps.Outcome.Answer;
import io.batchweave.steps.Outcome.Done;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a catalog does and says, each row is in the view once. */
class FoldFaultIT {
    private final FaultyCatalog catalog = new FaultyCatalog();
    private final FoldStage stage = new FoldStage(catalog);

    /** Every outcome of a commit and of the looks behind it, at each commit that a fold makes. */
    @TestFactory
    Stream<DynamicTest> everyRowIsThereOnceHoweverACommitComesOut() {
        return Outcome.all().stream()
                .map(outcome -> DynamicTest.dynamicTest(outcome.toString(), () -> walk(outcome)));
    }

    private static void walk(Outcome outcome) {
        for (int commit = 0; commit < FoldWalk.COMMITS; commit++) {
            FaultyCatalog catalog = new FaultyCatalog();
            FoldWalk.walk(catalog, outcome, commit, catalog::always);
        }
    }

    @Test
    void whoLosesTheRaceFoldsWhatIsLeft() {
        stage.publish(3);
        stage.fold().run();
        stage.publish(3);
        Fold rival = stage.fold();
        catalog.beforeCommit(
                () -> {
                    rival.run();
                    stage.publish(2);
                });

        stage.fold().run();
        stage.fold().run();

        stage.assertWhole();
    }

    @Test
    void aMergeBetweenLookAndCommitCostsNoRow() {
        Fold fold = stage.fold();
        for (int i = 0; i < 7; i++) {
            stage.publish(1);
            fold.run();
        }
        stage.publish(1);
        FoldLimits eager = limits(4);
        Fold rival = stage.fold(eager);
        catalog.beforeCommit(rival::run);

        fold.run();

        stage.assertWhole();
    }

    /** Two folders, which merge and expire too, while steps come and the catalog misbehaves. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void twoFoldersAndAMisbehavingCatalog(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        catalog.always(() -> random.nextInt(4) == 0 ? outcome(random) : null);
        List<Fold> folds = List.of(stage.fold(limits(3)), stage.fold(limits(4)));
        for (int turn = 0; turn < 25; turn++) {
            stage.publish(random.nextInt(3));
            Fold one = folds.get(random.nextInt(2));
            Fold other = folds.get(random.nextInt(2));
            if (one != other && random.nextBoolean()) {
                catalog.beforeCommit(other::run);
            }
            one.run();
            if (random.nextInt(5) == 0) {
                one.expire();
            }
        }
        catalog.always(() -> null);
        catalog.beforeCommit(() -> {});
        folds.get(0).run();
        stage.assertWhole();
    }

    private static Outcome outcome(SplittableRandom random) {
        return new Outcome(
                List.of(Done.values()).get(random.nextInt(2)),
                List.of(Answer.values()).get(random.nextInt(3)),
                random.nextInt(3));
    }

    static FoldLimits limits(int fanout) {
        FoldLimits known = FoldLimits.DEFAULT;
        return new FoldLimits(
                known.patience(),
                known.pauseMost(),
                known.rows(),
                known.bytes(),
                fanout,
                known.fileBytes(),
                8,
                16);
    }
}
