package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entries;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Setting.KeepSteps;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;

/** What a fold puts into the tables. */
class FoldTest {
    private final FoldStage stage = new FoldStage(new FaultyCatalog());

    @Test
    void everyStepIsARowAndSoIsEveryOtherEntry() {
        stage.publish(3);
        stage.append(Entries.seal());

        Folded folded = stage.fold().run();

        assertThat(folded.steps()).isEqualTo(3);
        assertThat(folded.nextStep()).isEqualTo(3);
        assertThat(folded.events()).isEqualTo(3);
        assertThat(folded.nextVersion()).isEqualTo(stage.ours().state().version() + 1);
        stage.assertWhole();
    }

    @Test
    void aFoldReadsOnlyWhatIsNew() {
        Fold fold = stage.fold();
        stage.publish(3);
        fold.run();
        assertThat(fold.run().steps()).isZero();
        stage.publish(2);

        assertThat(fold.run().steps()).isEqualTo(2);
        assertThat(stage.fold().run().steps()).isZero();
        stage.assertWhole();
    }

    @Test
    void askingWhetherThereIsAViewMakesNone() {
        assertThat(stage.fold().hasView()).isFalse();
        assertThat(stage.fold().hasView()).isFalse();
        stage.fold().run();
        assertThat(stage.fold().hasView()).isTrue();
        stage.catalog.dropTable(ViewTable.STEPS.identifier(FoldStage.NAME));
        assertThat(stage.fold().hasView()).isTrue();
        stage.catalog.dropTable(ViewTable.EVENTS.identifier(FoldStage.NAME));
        assertThat(stage.fold().hasView()).isFalse();
    }

    @Test
    void stepsOfOneCommitAreRowsOfTheirOwn() {
        stage.publishAtOnce("p", 5);
        stage.fold().run();
        stage.assertWhole();
    }

    @Test
    void aJobAndItsCheckpointsAreEvents() {
        stage.publish(3);
        stage.append(JobEntries.attach());
        stage.fold().run();

        Record attached =
                stage.rows(ViewTable.EVENTS).stream()
                        .filter(row -> row.getField("kind").equals("attached"))
                        .findFirst()
                        .orElseThrow();
        assertThat(attached.getField("job")).isEqualTo("j");
        assertThat(attached.getField("effective")).isEqualTo(true);
    }

    @Test
    void whatIsWithoutEffectSaysWhy() {
        stage.append(Entries.seal());
        stage.append(Entries.seal(), JobEntries.alter(new KeepSteps(5)));
        stage.fold().run();

        List<Record> rows =
                stage.rows(ViewTable.EVENTS).stream()
                        .filter(row -> row.getField("kind").equals("sealed"))
                        .sorted(Comparator.comparing(row -> (Long) row.getField("version")))
                        .toList();
        assertThat(rows).extracting(row -> row.getField("effective")).containsExactly(true, false);
        assertThat(rows.get(1).getField("why")).asString().contains("sealed after 0 steps");
    }

    @Test
    void filesAreMergedSoThatTheirNumberIsLogarithmic() {
        Fold fold = stage.fold();
        for (int i = 0; i < 100; i++) {
            stage.publish(1);
            fold.run();
        }
        stage.assertWhole();
        assertThat(stage.files(Expressions.alwaysTrue())).isLessThanOrEqualTo(3 * 7);
        assertThat(stage.filesOf(50)).isEqualTo(1);
    }
}
