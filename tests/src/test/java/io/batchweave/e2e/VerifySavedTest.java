package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.verify.Finding;
import io.batchweave.cli.verify.Verifier;
import io.batchweave.golden.GoldenVector;
import io.batchweave.model.Layout;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong with saved States and segments is found by who verifies a dataset. */
class VerifySavedTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    private final BufferAllocator allocator = new RootAllocator();
    private final GoldenVector vector =
            GoldenVector.all("valid").stream()
                    .filter(each -> each.name().equals("saved-with-segments"))
                    .findFirst()
                    .orElseThrow();
    private final Layout layout = new Layout(vector.dataset());
    private final MemoryStore store = vector.store(WORLD);

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    private List<String> found() {
        return new Verifier(store, vector.dataset(), allocator, steps -> {})
                .verify().findings().stream().map(Finding::object).toList();
    }

    private void put(String key, ByteBuffer body) {
        store.delete(List.of(key));
        store.create(key, body);
    }

    private ByteBuffer body(String key) {
        return ((Found) store.read(key, 1 << 24)).body();
    }

    @Test
    void nothingIsWrong() {
        assertThat(found()).isEmpty();
    }

    @Test
    void segmentThatIsMissingIsFound() {
        store.delete(List.of(layout.segment(0, 1)));
        assertThat(found()).containsExactly(layout.segment(0, 1));
    }

    @Test
    void segmentThatNoStateNamesMayBeMissing() {
        store.delete(List.of(layout.segment(0, 1), layout.state(4), layout.state(5)));
        assertThat(found()).isEmpty();
    }

    @Test
    void damagedSegmentIsFound() {
        put(layout.segment(0, 1), ByteBuffer.allocate(7));
        assertThat(found()).containsExactly(layout.segment(0, 1));
    }

    @Test
    void segmentOfOtherStepsIsFound() {
        String other = layout.segment(2, 2);
        put(layout.segment(0, 1), body(store.list(folder(other), "").objects().get(1).key()));
        assertThat(found()).containsExactly(layout.segment(0, 1));
    }

    private static String folder(String key) {
        return key.substring(0, key.lastIndexOf('/'));
    }

    @Test
    void stateOfAnotherVersionIsFound() {
        put(layout.state(3), body(layout.state(4)));
        assertThat(found()).containsExactly(layout.state(3));
    }

    @Test
    void stateWithoutItsCommitIsFound() {
        put(layout.state(6), body(layout.state(5)));
        assertThat(found()).containsExactly(layout.state(6));
    }
}
