package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Feature.RequiredOf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits, their entries and claims. */
class CommitTest {
    private static final String ID = "00000000-0000-0000-0000-000000000001";
    private static final Instant TIME = Instant.parse("2026-11-29T12:00:00.123Z");
    private static final Entry SEAL = new Seal(SealCondition.NONE);
    private static final List<Axis> GRID = List.of(new Axis("dp", 2));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-29T12:00:00.123000001Z",
                "1969-12-31T23:59:59.999Z",
                "+10000-01-01T00:00:00Z",
                "+292278994-08-17T07:12:55.808Z",
            })
    void timeIsOneThatAStoreTellsInWholeMilliseconds(String time) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(Instant.parse(time), List.of(SEAL)))
                .withMessageStartingWith("Invalid commit c1: its time " + time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"})
    void firstAndLastTimesAreTimes(String time) {
        assertThat(commit(Instant.parse(time), List.of(SEAL)).time()).isEqualTo(time);
    }

    @Test
    @Tag("LOG-7")
    void commitHoldsOneTo1024Entries() {
        assertThat(commit(TIME, Collections.nCopies(1_024, SEAL)).entries()).hasSize(1_024);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(TIME, Collections.nCopies(1_025, SEAL)))
                .withMessage("Invalid commit c1: 1025 entries, must be 1 to 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(TIME, List.of()))
                .withMessage("Invalid commit c1: 0 entries, must be 1 to 1024");
    }

    @Test
    void commitDoesNotChangeWithTheListItWasMadeOf() {
        List<Entry> entries = new ArrayList<>(List.of(SEAL));
        Commit commit = commit(TIME, entries);
        entries.add(SEAL);

        assertThat(commit).isEqualTo(commit(TIME, List.of(SEAL)));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, -1", "-9223372036854775808, 0"})
    void claimCountsFromZero(long epoch, long sequence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Claim("p", epoch, sequence))
                .withMessage(
                        "Invalid claim of producer p: epoch " + epoch + ", sequence " + sequence);
    }

    @Test
    void claimNamesItselfInMessages() {
        assertThat(new Claim("p7", 3, 0)).hasToString("producer p7 epoch 3 sequence 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Claim("a/b", 0, 0))
                .withMessageStartingWith("Invalid name of a producer 'a/b'");
    }

    @Test
    void openingHasAProducerAndAnId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OpenProducer("..", ID))
                .withMessageStartingWith("Invalid name of a producer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OpenProducer("p", "mine"))
                .withMessageStartingWith("Invalid id of a opening 'mine'");
    }

    @Test
    @Tag("LOG-7")
    void progressHasAtMost64KiB() {
        Claim claim = new Claim("p", 1, 2);
        Bytes most = Bytes.copyOf(new byte[65_536]);
        Bytes more = Bytes.copyOf(new byte[65_537]);
        GlobalBatch batch = oneSlice();

        assertThat(new Finish(claim, most).progress()).isEqualTo(most);
        assertThat(new Entry.Publish(claim, most, batch).progress()).isEqualTo(most);
        String message =
                "Invalid progress of producer p epoch 1 sequence 2: 65537 bytes, at most 65536 fit"
                        + " a commit";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Finish(claim, more))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Entry.Publish(claim, more, batch))
                .withMessage(message);
    }

    @Test
    void createdDatasetHasAnIdAGridAndDistinctProducers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dataset("first", GRID, List.of()))
                .withMessageStartingWith("Invalid id of a dataset 'first'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dataset(ID, List.of(), List.of()))
                .withMessageStartingWith("Invalid grid");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dataset(ID, GRID, List.of("a", "b/")))
                .withMessageStartingWith("Invalid name of a producer 'b/'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dataset(ID, GRID, List.of("a", "b", "a")))
                .withMessage("Invalid dataset: producer a is named twice");
    }

    @Test
    void createdDatasetDoesNotChangeWithTheListsItWasMadeOf() {
        List<Axis> grid = new ArrayList<>(GRID);
        List<String> producers = new ArrayList<>(List.of("a"));
        List<Feature> features = new ArrayList<>();
        CreateDataset created = new CreateDataset(ID, "{}", grid, producers, features);
        grid.clear();
        producers.clear();
        features.add(new Feature("f", RequiredOf.WRITERS));

        assertThat(created).isEqualTo(dataset(ID, GRID, List.of("a")));
    }

    @Test
    void datasetAdmitsItsDeclaredProducersOrEveryone() {
        assertThat(admitting().admits("anyone")).isTrue();
        assertThat(admitting("a", "b").admits("b")).isTrue();
        assertThat(admitting("a", "b").admits("c")).isFalse();
    }

    @Test
    void featureHasAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Feature("a b", RequiredOf.EVERYONE))
                .withMessageStartingWith("Invalid name of a feature 'a b'");
    }

    private static Commit commit(Instant time, List<Entry> entries) {
        return new Commit("c1", time, "test", entries);
    }

    private static CreateDataset dataset(String id, List<Axis> grid, List<String> producers) {
        return new CreateDataset(id, "{}", grid, producers, List.of());
    }

    private static Dataset admitting(String... producers) {
        return new Dataset(ID, "{}", new SliceGrid(GRID), List.of(producers), List.of());
    }

    private static GlobalBatch oneSlice() {
        Bytes digest = Bytes.copyOf(new byte[Bytes.SHA256_BYTES]);
        Part part = new Part(1, digest, List.of(new Slice(0, 1, 1, 0)));
        return new GlobalBatch(0, List.of(part), List.of());
    }
}
