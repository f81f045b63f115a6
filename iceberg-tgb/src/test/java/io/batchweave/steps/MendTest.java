package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.JobEntries;
import io.batchweave.model.Layout;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others do to the tables, and how the next fold or a rebuild mends it. */
class MendTest {
    private final FaultyCatalog catalog = new FaultyCatalog();
    private final FoldStage stage = new FoldStage(catalog);
    private final Fold fold = stage.fold();

    @BeforeEach
    void foldSome() {
        for (int i = 0; i < 3; i++) {
            stage.publish(2);
            fold.run();
        }
        stage.publish(1);
    }

    private Table steps() {
        return stage.table(ViewTable.STEPS);
    }

    private void assertFoldMends() {
        fold.run();
        stage.assertWhole();
    }

    /** A fold refuses, with what is wrong; a rebuild mends, and then folds go on. */
    private void assertRebuildMends(String why) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(fold::run)
                .withMessageStartingWith("Cannot fold")
                .withMessageContaining(why)
                .withMessageContaining("--rebuild");
        fold.rebuild();
        stage.assertWhole();
        stage.publish(1);
        assertFoldMends();
    }

    @Test
    void aViewThatWasDroppedIsMadeAnew() {
        for (ViewTable kind : ViewTable.values()) {
            catalog.dropTable(kind.identifier(FoldStage.NAME), true);
        }
        assertFoldMends();
    }

    @Test
    void aTableThatIsDroppedWhileItIsFoldedIsMadeAnew() {
        catalog.beforeCommit(
                () -> catalog.dropTable(ViewTable.STEPS.identifier(FoldStage.NAME), true));
        assertFoldMends();
    }

    @Test
    void aViewThatWasRolledBackIsFoldedForward() {
        for (ViewTable kind : ViewTable.values()) {
            Table table = stage.table(kind);
            long first = table.history().get(0).snapshotId();
            table.manageSnapshots().rollbackTo(first).commit();
        }
        assertFoldMends();
    }

    @Test
    void expiredSnapshotsAreNotMissed() {
        for (ViewTable kind : ViewTable.values()) {
            stage.table(kind)
                    .expireSnapshots()
                    .expireOlderThan(Instant.parse("9999-01-01T00:00:00Z").toEpochMilli())
                    .retainLast(1)
                    .commit();
        }
        assertFoldMends();
        stage.publish(2);
        assertThat(stage.fold().run().steps()).isEqualTo(2);
        stage.assertWhole();
    }

    @Test
    void filesThatOthersMergedAreTakenAsTheyAre() {
        Content content = content();
        List<Piece> all = content.pieces();
        rewrite(List.of(all.get(0), all.get(2)));
        assertFoldMends();
        stage.publish(1);
        assertFoldMends();
    }

    /** As a stock rewrite does it: the new file spans what others hold. */
    private void rewrite(List<Piece> pieces) {
        Table table = steps();
        RowFile file = new RowFile(table, Layout.padded(0) + "-foreign");
        for (Piece piece : pieces) {
            RowFile.read(table, piece.file(), table.schema()).forEach(file::write);
        }
        var rewrite = table.newRewrite().addFile(file.finish());
        pieces.forEach(piece -> rewrite.deleteFile(piece.file()));
        rewrite.commit();
    }

    private Content content() {
        Table table = steps();
        return Content.of(ViewTable.STEPS, table, table.currentSnapshot());
    }

    @Test
    void rowsThatAreThereTwiceAreRefused() {
        DataFile known = content().pieces().get(0).file();
        steps().newAppend().appendFile(known).commit();
        assertRebuildMends("rows");
    }

    @Test
    void rowsOfOthersAreRefused() {
        Table table = steps();
        Record row = stage.rows(ViewTable.STEPS).get(0);
        row.setField("step", 1_000L);
        RowFile file = new RowFile(table, "foreign");
        file.write(row);
        table.newAppend().appendFile(file.finish()).commit();
        assertRebuildMends("steps");
    }

    @Test
    void eventsOfOthersAreRefused() {
        Table table = stage.table(ViewTable.EVENTS);
        RowFile file = new RowFile(table, "foreign");
        file.write(stage.rows(ViewTable.EVENTS).get(0));
        table.newAppend().appendFile(file.finish()).commit();
        assertRebuildMends("rows");
    }

    @Test
    void deletedRowsAreRefused() {
        steps().newDelete().deleteFromRowFilter(Expressions.lessThan("step", 2)).commit();
        assertRebuildMends("rows");
    }

    @Test
    void rowsThatSomebodyChangedAreRefused() {
        Table table = steps();
        Piece piece = content().pieces().get(1);
        RowFile file = new RowFile(table, "foreign");
        RowFile.read(table, piece.file(), table.schema())
                .forEach(
                        row -> {
                            row.setField("producer", "somebody");
                            file.write(row);
                        });
        table.newOverwrite().deleteFile(piece.file()).addFile(file.finish()).commit();
        assertRebuildMends("changed rows");
    }

    @Test
    void aColumnThatIsGoneIsRefused() {
        steps().updateSchema().deleteColumn("producer").commit();
        assertRebuildMends("producer");
    }

    @Test
    void aColumnThatWasDroppedAndAddedAgainIsRefused() {
        steps().updateSchema().deleteColumn("producer").commit();
        steps().updateSchema().addColumn("producer", StringType.get()).commit();
        assertRebuildMends("producer");
    }

    @Test
    void aColumnThatIsGoneFromWithinAnotherIsRefused() {
        steps().updateSchema().deleteColumn("slices.element.crc32c").commit();
        assertRebuildMends("slices.element.crc32c");
    }

    @Test
    void aTableThatSomebodyPartitionedIsRefused() {
        steps().updateSpec().addField("producer").commit();
        assertRebuildMends("partitioned");
    }

    @Test
    void aColumnOfOthersIsLeftAlone() {
        steps().updateSchema()
                .addColumn("note", StringType.get())
                .addColumn("slices", "note", StringType.get())
                .addColumn("extra", StructType.of(NestedField.required(1, "a", StringType.get())))
                .commit();
        assertFoldMends();
    }

    @Test
    void anOrderOfOthersIsNotSaidOfFilesThatAreNotInIt() {
        steps().replaceSortOrder().asc("producer").commit();
        assertFoldMends();
        List<Piece> pieces = content().pieces();
        assertThat(pieces.get(0).file().sortOrderId()).isNotZero();
        assertThat(pieces.get(pieces.size() - 1).file().sortOrderId()).isZero();
    }

    @Test
    void filesHaveTheirBoundsWhateverThePropertiesSay() {
        steps().updateProperties().set("write.metadata.metrics.column.step", "none").commit();
        assertFoldMends();
    }

    @Test
    void propertiesByWhichNoFileCanBeWrittenAreGoneAfterARebuild() {
        steps().updateProperties()
                .set("write.location-provider.impl", "no.such.Provider")
                .set("note", "mine")
                .commit();
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(fold::run)
                .withMessageContaining("no.such.Provider")
                .withMessageContaining("--rebuild");
        fold.rebuild();
        stage.assertWhole();
        assertThat(steps().properties()).containsEntry("note", "mine");
    }

    @Test
    void aTableOfThatNameThatNoFoldHasMadeIsRefused() {
        catalog.dropTable(ViewTable.STEPS.identifier(FoldStage.NAME), true);
        catalog.createTable(
                ViewTable.STEPS.identifier(FoldStage.NAME),
                new Schema(NestedField.required(1, "a", StringType.get())));
        assertRebuildMends("no fold has made it");
    }

    @Test
    void aTableOfANewerFormatStaysOne() {
        steps().updateProperties().set("format-version", "3").commit();
        assertFoldMends();
        steps().newDelete().deleteFromRowFilter(Expressions.lessThan("step", 2)).commit();
        assertRebuildMends("rows");
        assertThat(TableUtil.formatVersion(steps())).isEqualTo(3);
    }

    @Test
    void aTableOfWhichNothingMayBeDeletedKeepsItsSnapshots() {
        steps().updateProperties().set("gc.enabled", "false").commit();
        Snapshot oldest = steps().snapshots().iterator().next();
        fold.expire();
        assertThat(steps().snapshots()).contains(oldest);
        assertFoldMends();
    }

    @Test
    void aTableOfAnotherDatasetIsRefused() {
        steps().updateProperties().set("batchweave.dataset-id", "another").commit();
        assertRebuildMends("another dataset");
    }

    @Test
    void aTableRolledBackToAnotherDatasetIsRefused() {
        steps().newAppend()
                .set("batchweave.dataset-id", "another")
                .set("batchweave.folded-through", "5")
                .commit();
        assertRebuildMends("another dataset");
    }

    @Test
    void aManifestThatIsGoneIsRefused() {
        Table table = steps();
        table.currentSnapshot()
                .dataManifests(table.io())
                .forEach(manifest -> table.io().deleteFile(manifest.path()));
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> stage.fold().run())
                .withMessageContaining("missing")
                .withMessageContaining("--rebuild");
        fold.rebuild();
        stage.assertWhole();
    }

    @Test
    void dataFilesThatAreGoneAreWrittenAnewByARebuild() {
        deleteDataFiles();
        fold.run();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(stage::assertWhole);
        fold.rebuild();
        stage.assertWhole();
        assertFoldMends();
    }

    private void deleteDataFiles() {
        content().pieces().forEach(piece -> steps().io().deleteFile(piece.file().location()));
    }

    @Test
    void checkpointsNeedNothingThatWasThereBeforeARebuild() {
        stage.append(JobEntries.attach(), JobEntries.checkpoint("", 3));
        fold.run();
        deleteDataFiles();
        fold.rebuild();
        assertTagged();
        stage.publish(1);
        fold.run();
        fold.expire();
        assertTagged();
    }

    private void assertTagged() {
        Snapshot tagged = steps().snapshot(steps().refs().get("checkpoint/j/at3").snapshotId());
        assertThat(stage.steps(tagged))
                .extracting(row -> row.getField("step"))
                .contains(0L, 1L, 2L);
    }

    @Test
    void aCatalogThatIsAwayIsTriedForAWhile() {
        catalog.away(true);
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(fold::run)
                .withMessageStartingWith("Cannot fold train.pretrain into catalog faulty: ")
                .withMessageContaining("nothing of the dataset is lost");
        stage.publish(1);
        catalog.away(false);
        assertFoldMends();
    }
}
