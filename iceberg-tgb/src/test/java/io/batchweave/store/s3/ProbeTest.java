package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.store.Listing;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.Probe.Effort;
import io.batchweave.store.ProbeReport;
import io.batchweave.store.ProbeReport.Check;
import io.batchweave.store.ProbeReport.Finding;
import io.batchweave.store.ProbeReport.Use;
import io.batchweave.store.s3.FakeBucket.Conditions;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Servers that lose data silently are found out, before anything is written to them. */
@Tag("STORE-3")
class ProbeTest {
    private static final DatasetName NAME = DatasetName.parse("train.numbers");
    private static final Listing NOTHING = new Listing(List.of(), List.of());
    private static final Effort EFFORT = new Effort(8, 20);

    private static Log create(ObjectStore store) {
        return Log.create(store, NAME, Numbers.dataset("dp=2"), World.real(), LogLimits.DEFAULT);
    }

    @Test
    void aServerThatKeepsItsPromisesIsFitForEverything() {
        try (FakeS3 server = FakeS3.start();
                ObjectStore store = server.open(World.real())) {
            ProbeReport report = Probe.of(store, "probe/1", EFFORT);

            assertThat(report.findings())
                    .extracting(Finding::check)
                    .containsExactly(Check.values());
            assertThat(report.isFit()).as("%s", report).isTrue();
            assertThat(Use.values()).allMatch(use -> report.broken(use).isEmpty());
            assertThat(store.list("", "")).isEqualTo(NOTHING);
            assertThat(server.bucket().openUploads()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HONOURED")
    void aServerThatDoesNotIsNotFitToWriteTo(Conditions conditions) {
        try (FakeS3 server = FakeS3.start(conditions);
                ObjectStore store = server.open(World.real())) {
            ProbeReport report = Probe.of(store, "probe/1", EFFORT);

            Check broken =
                    switch (conditions) {
                        case IGNORED -> Check.CREATE;
                        case IGNORED_BY_PARTS -> Check.UPLOAD;
                        default -> Check.CREATE_RACE;
                    };
            assertThat(report.isFit()).isFalse();
            assertThat(report.broken(Use.WRITE)).map(Finding::check).contains(broken);
            assertThat(report.broken(Use.READ)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Conditions.class,
            names = {"IGNORED", "IGNORED_BY_PARTS"})
    void noDatasetIsMadeOnAServerThatIgnoresConditions(Conditions conditions) {
        try (FakeS3 server = FakeS3.start(conditions);
                ObjectStore store = server.open(World.real())) {
            assertThatThrownBy(() -> create(store))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith(
                            "Cannot create dataset train.numbers in s3://training/: the store breaks"
                                    + " a promise without which data is lost silently: that ")
                    .hasMessageContaining("a key that exists is refused")
                    .hasMessageContaining("the second done")
                    .hasMessageEndingWith("use another store, and see 'batchweave probe'")
                    .hasMessageNotContaining("\n");
            assertThat(store.list("", "")).isEqualTo(NOTHING);
        }
    }

    @Test
    void aDatasetIsProbedForOnceAndOnlyWhereThereIsNone() {
        try (FakeS3 server = FakeS3.start();
                ObjectStore store = server.open(World.real())) {
            create(store);
            assertThat(server.count(FakeRequest.completions())).isPositive();
            assertThat(store.list("train/numbers", "").folders()).containsExactly("log");

            long before = server.count(FakeRequest.puts());
            create(store);
            assertThat(server.count(FakeRequest.puts())).isEqualTo(before);
        }
    }

    @Test
    void whereNoServerIsInvolvedNothingIsProbed() {
        MemoryStore store = new MemoryStore(World.real());
        create(store);

        assertThat(store.list("train/numbers", "").folders()).containsExactly("log");
    }

    @Test
    void aBucketThatIsReadOnlyIsSaid() {
        try (FakeS3 server = FakeS3.start();
                ObjectStore store = server.open(World.real())) {
            server.plan(FakeRequest.puts(), Integer.MAX_VALUE, Mishaps.error(403, "AccessDenied"));

            assertThatThrownBy(() -> create(store))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("access is denied")
                    .hasMessageContaining("s3:PutObject");
        }
    }

    @Test
    void aRaceWithoutAnswersIsNoBrokenPromise() {
        try (FakeS3 server = FakeS3.start();
                ObjectStore store = server.open(World.real())) {
            server.plan(
                    FakeRequest.puts().and(request -> request.key().contains("race")),
                    30,
                    Mishaps.answerLost());

            assertThat(Probe.of(store, "probe/1", EFFORT).isFit()).isTrue();
        }
    }

    @Test
    void aRacerThatFailsEndsTheRace() {
        try (FakeS3 server = FakeS3.start();
                ObjectStore store = server.open(World.real())) {
            server.plan(
                    FakeRequest.puts().and(request -> request.key().contains("race-7")),
                    1,
                    Mishaps.error(403, "AccessDenied"));

            assertThatThrownBy(() -> Probe.of(store, "probe/1", EFFORT))
                    .isInstanceOf(UnavailableException.class);
            assertThat(store.create("probe/1/create/race-7", bytes("x"))).isNotNull();
        }
    }
}
