package io.batchweave.store;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends ObjectStoreContract {
    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.EPOCH);
    private final MemoryStore store =
            new MemoryStore(new World(time::get, pause -> {}, new SplittableRandom(1)));

    @Override
    protected ObjectStore open() {
        return store;
    }

    @Override
    protected Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.HOLDS_OTHERS));
    }

    @Test
    @Tag("STORE-5")
    void storeTimeIsTheWorldsClock() {
        time.set(Instant.EPOCH.plus(Duration.ofDays(1)));

        assertThat(store.create("a", bytes("x"))).isEqualTo(new Creation.Done(time.get()));
        assertThat(store.create("a", bytes("x"))).isEqualTo(new Creation.Refused(time.get()));
        assertThat(store.read("b", 1)).isEqualTo(new Fetched.Absent(time.get()));
    }

    @Test
    void aCopySharesNothingWithItsOriginal() {
        store.create("a", bytes("both"));
        MemoryStore copy = store.copy();
        store.create("b", bytes("original"));
        copy.create("b", bytes("copy"));
        copy.delete(List.of("a"));

        assertThat(text(store.read("a", 100))).isEqualTo("both");
        assertThat(text(store.read("b", 100))).isEqualTo("original");
        assertThat(text(copy.read("b", 100))).isEqualTo("copy");
    }
}
