package io.batchweave.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.log.History;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.state.StepRecord;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What another implementation packed and trimmed is the same history here. */
@Tag("TRIM-11")
class GoldenTrimmedTest {
    /** Long after the vectors' boundaries. */
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    private static final World WORLD = new World(() -> NOW, pause -> {}, new SplittableRandom(0));

    static List<GoldenVector> valid() {
        return GoldenVector.all("valid");
    }

    static Stream<GoldenVector> packed() {
        return valid().stream().filter(vector -> !vector.expected("packs").isEmpty());
    }

    static Stream<GoldenVector> withReborn() {
        return valid().stream().filter(vector -> !vector.expected("reborn").isEmpty());
    }

    static Stream<GoldenVector> withoutHistory() {
        return GoldenVector.all("invalid").stream()
                .filter(vector -> vector.expected("opened").isObject());
    }

    static Stream<GoldenVector> withoutState() {
        return GoldenVector.all("invalid").stream()
                .filter(vector -> vector.name().startsWith("boundary-"));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void historyIsWhole(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        List<Commit> commits = commits(vector, store);
        History onward = new History(store, vector.dataset());
        History back = new History(store, vector.dataset());
        for (int i = 0; i < commits.size(); i++) {
            int last = commits.size() - 1 - i;

            assertThat(onward.read(i)).as("version %d", i).contains(commits.get(i));
            assertThat(back.read(last)).as("version %d", last).contains(commits.get(last));
        }
        assertThat(onward.read(commits.size())).isEmpty();
    }

    private static List<Commit> commits(GoldenVector vector, MemoryStore store) {
        List<Commit> commits = new ArrayList<>();
        for (JsonNode told : vector.expected("commits")) {
            Commit commit = vector.commit(store, told);
            assertThat(commit.id()).isEqualTo(told.get("id").asText());
            commits.add(commit);
        }
        return commits;
    }

    @ParameterizedTest
    @MethodSource("packed")
    @Tag("CODEC-1")
    void equalCommitsGiveEqualPacks(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        for (JsonNode key : vector.expected("packs")) {
            ByteBuffer written = vector.object(store, key.asText());
            List<Commit> commits =
                    CommitCodec.decodePack(written, Layout.PACKED, vector.toString());

            assertThat(CommitCodec.encodePack(commits)).contains(written);
        }
    }

    @ParameterizedTest
    @MethodSource("withReborn")
    @Tag("TRIM-1")
    void whatIsRebornIsThereAndCountsForNothing(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        List<Commit> commits = commits(vector, store);
        for (JsonNode key : vector.expected("reborn")) {
            Commit reborn =
                    CommitCodec.decode(vector.object(store, key.asText()), vector.toString());

            assertThat(commits).doesNotContain(reborn);
        }
    }

    @ParameterizedTest
    @MethodSource("withoutHistory")
    @Tag("CODEC-2")
    void damagedHistoryIsRefusedAndTheDatasetIsNot(GoldenVector vector) {
        Log log = open(vector, vector.store(WORLD));
        String refused = vector.expected("refused").get("key").asText();

        List<StepRecord> steps =
                LongStream.range(0, log.state().nextStep()).mapToObj(log::step).toList();
        assertThat(Told.steps(steps, log.layout()))
                .isEqualTo(Told.withoutPayload(vector.expected("steps")));
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> log.read(0))
                .withMessageStartingWith("Cannot read ")
                .withMessageContaining(refused)
                .withMessageNotContaining("\n");
        assertThat(log.read(log.state().version())).isPresent();
        assertThat(log.read(log.state().version() + 1)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("withoutState")
    @Tag("TRIM-3")
    @Tag("TRIM-6")
    void boundaryBehindWhichNoStateIsIsRefused(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> open(vector, store))
                .withMessageContaining("commits are trimmed, and no State after version");
        assertThat(new History(store, vector.dataset()).read(0)).isPresent();
    }

    /** The other implementation has packed the same commits, and left some of them undeleted. */
    @Test
    @Tag("TRIM-8")
    void everyoneTrimsAlike() {
        GoldenVector announced = named("trimming-announced");
        GoldenVector begun = named("trimming-half-done");
        MemoryStore ours = announced.store(WORLD);
        MemoryStore theirs = begun.store(WORLD);

        assertThat(open(announced, ours).trim().commits()).isEqualTo(Layout.PACKED);
        assertThat(open(begun, theirs).trim().commits()).isEqualTo(3);

        String pack = begun.expected("packs").get(0).asText();
        assertThat(announced.object(ours, pack)).isEqualTo(begun.object(theirs, pack));
        assertThat(versions(announced, ours)).isEqualTo(versions(begun, theirs)).hasSize(1);
        assertThat(Told.state(open(announced, ours).state()))
                .isEqualTo(Told.state(open(begun, theirs).state()));
    }

    private static GoldenVector named(String name) {
        return valid().stream()
                .filter(vector -> vector.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> versions(GoldenVector vector, MemoryStore store) {
        String root = new Layout(vector.dataset()).commit(0);
        String folder = root.substring(0, root.lastIndexOf('/'));
        return store.list(folder, "").objects().stream()
                .map(item -> item.key().substring(folder.length()))
                .toList();
    }

    private static Log open(GoldenVector vector, MemoryStore store) {
        return Log.open(store, vector.dataset(), WORLD, LogLimits.DEFAULT);
    }
}
