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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is wrong with saved States and segments is found by who verifies a dataset. */
class VerifySavedTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    private final BufferAllocator allocator = new RootAllocator();
    private final GoldenVector vector = vector("valid", "saved-with-segments");
    private final Layout layout = new Layout(vector.dataset());
    private final MemoryStore store = vector.store(WORLD);

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    private static GoldenVector vector(String kind, String name) {
        return GoldenVector.all(kind).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> found() {
        return findings(vector, store).stream().map(Finding::object).toList();
    }

    private List<Finding> findings(GoldenVector dataset, MemoryStore store) {
        return new Verifier(store, dataset.dataset(), allocator, steps -> {}).verify().findings();
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

    /** Its history is whole, and nobody could open it. */
    @Test
    @Tag("TRIM-3")
    void boundaryAboveTheNewestStateIsFound() {
        GoldenVector trimmed = vector("invalid", "boundary-above-states");

        assertThat(findings(trimmed, trimmed.store(WORLD)))
                .extracting(Finding::why)
                .containsExactly(
                        "Cannot accept "
                                + boundary(trimmed)
                                + ": commits up to version 63 may be gone, and the newest saved State"
                                + " is of version 48; restore a State of that version or a later"
                                + " one, and write nothing before");
    }

    @Test
    @Tag("TRIM-3")
    void boundaryWithoutAnyStateIsFound() {
        GoldenVector trimmed = vector("valid", "trimmed");
        MemoryStore store = trimmed.store(WORLD);
        assertThat(findings(trimmed, store)).isEmpty();

        Layout layout = new Layout(trimmed.dataset());
        store.delete(List.of(layout.state(63), layout.state(64)));

        assertThat(findings(trimmed, store))
                .extracting(Finding::why)
                .containsExactly(
                        "Cannot accept "
                                + boundary(trimmed)
                                + ": commits up to version 63 may be gone, and no State is saved;"
                                + " restore a State of that version or a later one, and write"
                                + " nothing before");
    }

    private static String boundary(GoldenVector dataset) {
        MemoryStore store = dataset.store(WORLD);
        String folder = new Layout(dataset.dataset()).boundaries();
        return store.nameOf(store.list(folder, "").objects().get(0).key());
    }

    @Test
    void stateWithoutItsCommitIsFound() {
        put(layout.state(6), body(layout.state(5)));
        assertThat(found()).containsExactly(layout.state(6));
    }
}
