package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.NewerCommits;
import io.batchweave.codec.OlderCommits;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Layout;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commits go when a State is saved, the boundary is there, and they are old and packed. */
@Tag("TRIM-3")
@Tag("TRIM-8")
@Tag("TRIM-11")
class TrimTest {
    private final Stage stage = new Stage();
    private final Trimming trimming = new Trimming(stage);
    private Log log;
    private List<Commit> truth;

    @BeforeEach
    void grow() {
        stage.create();
        trimming.growTo(200);
        truth = stage.commits();
        log = stage.open();
    }

    @Test
    void youngCommitsStay() {
        assertThat(log.trim()).isEqualTo(Trimmed.NOTHING);
        assertThat(trimming.boundaries()).hasSize(1);
        stage.storeClock.move(Surety.MINIMUM_AGE.minusSeconds(1));
        assertThat(log.trim()).isEqualTo(Trimmed.NOTHING);
        assertThat(trimming.commits()).hasSize(201);
        assertThat(trimming.packs()).isEmpty();

        stage.storeClock.move(Duration.ofSeconds(1));
        assertThat(log.trimmable().commits()).isEqualTo(192);
        Trimmed trimmed = log.trim();

        assertThat(trimmed.commits()).isEqualTo(192);
        assertThat(trimmed.bytes()).isGreaterThan(192 * 1_000);
        assertThat(trimming.commits()).hasSize(9);
        assertThat(trimming.packs()).hasSize(3);
        assertThat(trimming.boundaries()).hasSize(1);
        assertThat(log.trimmable()).isEqualTo(Trimmed.NOTHING);
    }

    @Test
    void whereTheStoreTellsNoTimeNobodyLooksAtAges() {
        Stage local = new Stage(Timekeeper.CALLER);
        local.create();
        Trimming there = new Trimming(local);
        there.growTo(130);

        assertThat(local.rival().trimmable().commits()).isEqualTo(128);
        assertThat(local.rival().trim().commits()).isEqualTo(128);
        assertThat(there.commits()).hasSize(3);
    }

    @Test
    void historyIsWhole() {
        trimming.trim();
        trimming.bringBack(3, Entries.seal());
        trimming.bringBack(64, Entries.seal());

        assertThat(stage.commits()).isEqualTo(truth);
        Log reader = stage.open();
        assertThat(reader.read(64)).contains(truth.get(64));
        assertThat(reader.read(3)).contains(truth.get(3));
        assertThat(reader.read(200)).contains(truth.get(200));
        assertThat(reader.read(201)).isEmpty();
    }

    @Test
    void whoReadsHistoryWhileItIsTrimmedReadsNothingThatWasReborn() {
        History history = new History(stage.store(), Stage.NAME);
        assertThat(history.read(0)).contains(truth.get(0));
        stage.before(
                Kind.READ,
                () -> {
                    trimming.trim();
                    trimming.bringBack(1, Entries.seal());
                });
        assertThat(history.read(1)).contains(truth.get(1));
        assertThat(history.lastObject()).isEqualTo(new Layout(Stage.NAME).pack(0));
    }

    @Test
    void rebornCommitsAreSweptAgain() {
        trimming.trim();
        trimming.bringBack(3, Entries.seal());

        assertThat(log.trim().commits()).isEqualTo(1);
        assertThat(trimming.commits()).hasSize(9);
        assertThat(stage.commits()).isEqualTo(truth);
    }

    @Test
    void nothingIsSaidBeforeTheStateIsKnownToBeSaved() {
        log.append(List.of(Entries.opening("p", 1)));
        stage.next(Kind.CREATE, Fault.REQUEST_LOST);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::trim);
        assertThat(trimming.boundaries()).isEmpty();
    }

    @Test
    void nothingIsDeletedBeforeTheBoundaryIsKnownToBeThere() {
        Stage local = new Stage(Timekeeper.CALLER);
        Log ours = local.create();
        Trimming there = new Trimming(local);
        there.growTo(130);
        local.next(Kind.CREATE, Fault.NONE, Fault.REQUEST_LOST);

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(ours::trim)
                .withMessageContaining("nothing was deleted");
        assertThat(there.commits()).hasSize(131);
        assertThat(ours.trim().commits()).isEqualTo(128);
    }

    @Test
    void nothingIsDeletedBeforeItsPackIsKnownToBeThere() {
        log.trim();
        stage.storeClock.move(Trimming.LONG);
        stage.next(Kind.CREATE, Fault.NONE, Fault.REQUEST_LOST);

        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::trim);
        assertThat(trimming.packs()).hasSize(1);
        assertThat(trimming.commits()).hasSize(201 - 64);

        stage.next(Kind.DELETE, Fault.REQUEST_LOST);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(log::trim);
        assertThat(trimming.packs()).hasSize(2);
        assertThat(trimming.commits()).hasSize(201 - 64);

        assertThat(log.trim().commits()).isEqualTo(128);
        assertThat(stage.commits()).isEqualTo(truth);
    }

    @Test
    void lostCommitIsNotTrimmedAway() {
        log.trim();
        stage.storeClock.move(Trimming.LONG);
        stage.memory.delete(List.of(stage.key(70)));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(log::trim)
                .withMessageContaining(stage.key(70))
                .withMessageContaining("it is missing, and no pack has it");
        assertThat(trimming.commits()).hasSize(200 - 64);
    }

    /** Newer software may have said more than we would pack. */
    @Test
    void commitThatWeWouldNotWriteSoStaysWithItsPack() {
        Optional<Commit> before = stage.rival().read(70);
        stage.overwrite(70, NewerCommits.withUnknownField(before.orElseThrow()));
        log.trim();
        stage.storeClock.move(Trimming.LONG);

        Trimmed trimmed = log.trim();

        assertThat(trimmed.commits()).isEqualTo(128);
        assertThat(trimmed.kept()).isEqualTo(64);
        assertThat(stage.commits()).isEqualTo(truth);
    }

    /** A pack has one schema. */
    @Test
    void commitsOfOlderSoftwareStayAndAreReadAsEver() {
        for (long version = 64; version < 128; version++) {
            Optional<Commit> before = stage.rival().read(version);
            stage.overwrite(version, OlderCommits.withoutProvenance(before.orElseThrow()));
        }
        log.trim();
        stage.storeClock.move(Trimming.LONG);

        Trimmed trimmed = log.trim();

        assertThat(trimmed.commits()).isEqualTo(128);
        assertThat(trimmed.kept()).isEqualTo(64);
        assertThat(stage.commits()).isEqualTo(truth);
    }

    @Test
    void logIsNotTrimmedForAFew() {
        Log patient = Log.open(stage.store(), Stage.NAME, stage.clock.world(3), LogLimits.DEFAULT);
        assertThat(patient.trim()).isEqualTo(Trimmed.NOTHING);
        assertThat(trimming.boundaries()).isEmpty();
    }

    @Test
    void whatIsLeftIsAStateAndTheCommitsBehindTheBoundary() {
        trimming.trim();
        trimming.growTo(300);
        trimming.trim();

        assertThat(trimming.boundaries()).hasSize(2);
        assertThat(trimming.packs()).hasSize(4);
        assertThat(trimming.commits()).hasSize(301 - 256).first().isEqualTo(stage.key(256));
        assertThat(stage.open().state()).isEqualTo(stage.truth());
    }
}
