package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Layout;
import java.time.Duration;
import java.util.List;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;

/** A process that folds for the first time, of a log that is old. */
class FreshFoldTest {
    private static final FoldLimits LIMITS = FoldFaultIT.limits(8);

    private final FoldStage stage = new FoldStage(new FaultyCatalog());

    private void foldSome() {
        for (int i = 0; i < 5; i++) {
            stage.publish(7);
            stage.append(Entries.opening("q" + i, 100 + i));
            stage.fold(LIMITS).run();
        }
    }

    private void loseVersion(long version) {
        stage.store.delete(List.of(new Layout(FoldStage.NAME).commit(version)));
    }

    @Test
    void theLogIsReadFromTheStateThatIsKeptBesideTheEvents() {
        foldSome();
        loseVersion(1);
        stage.publish(3);
        stage.append(Entries.seal());

        Folded folded = stage.fold(LIMITS).run();

        assertThat(folded.steps()).isEqualTo(3);
        assertThat(folded.events()).isEqualTo(1);
    }

    @Test
    void withoutThatStateItIsReadFromTheBeginning() {
        foldSome();
        Table events = stage.table(ViewTable.EVENTS);
        String kept = events.properties().get("batchweave.kept-state");
        events.io()
                .deleteFile(
                        events.location()
                                + "/metadata/state-"
                                + Layout.padded(Long.parseLong(kept))
                                + ".avro");
        stage.publish(3);
        stage.append(Entries.opening("r", 7));
        stage.fold(LIMITS).run();
        stage.assertWhole();
        loseVersion(1);
        stage.table(ViewTable.EVENTS).updateProperties().remove("batchweave.kept-state").commit();
        stage.append(JobEntries.attach());
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> stage.fold(LIMITS).run());
    }

    @Test
    void aTrimmedLogIsFoldedFromItsPacks() {
        stage.publish(200);
        stage.log().trim();
        stage.clock.move(Duration.ofHours(2));
        assertThat(stage.log().trim().commits()).isPositive();
        stage.publish(3);

        assertThat(stage.fold().run().steps()).isEqualTo(203);
        stage.assertWhole();
    }

    @Test
    void oldStepsComeFromSegments() {
        stage.append(Entries.heavy(new Claim("p", 1, 0)));
        for (int i = 1; i < 6; i++) {
            stage.append(Entries.heavy(new Claim("p", 1, i)));
        }
        assertThat(stage.ours().catchUp().steps().segments()).isNotEmpty();

        stage.fold().run();

        stage.assertWhole();
    }
}
