package io.batchweave.store;

import static io.batchweave.store.Bodies.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.CorruptException;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultPlan.Script;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CountingStoreTest extends ObjectStoreContract {
    private final MemoryStore memory = new MemoryStore(World.real());
    private final Script script = new Script();
    private final CountingStore store = new CountingStore(new FaultyStore(memory, script));

    @Override
    protected ObjectStore open() {
        return new CountingStore(memory);
    }

    @Override
    protected Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.HOLDS_OTHERS));
    }

    @Test
    void requestsAreCountedByKindAndBytesByDirection() {
        store.create("a", bytes("12345"));
        store.create("a", bytes("67"));
        script.next(Kind.CREATE, Fault.ANSWER_LOST);
        store.create("b", bytes("8"));
        try (Upload upload = store.upload("c")) {
            upload.write(bytes("123"));
            upload.write(bytes("4567"));
            upload.complete();
        }
        try (Upload upload = store.upload("a")) {
            upload.complete();
        }
        store.read("a", 10);
        store.read("absent", 10);
        store.readInto("c", 2, ByteBuffer.allocateDirect(3));
        assertThatThrownBy(() -> store.read("a", 1)).isInstanceOf(CorruptException.class);
        store.readThrough("c", 1, 5, piece -> {});
        store.list("", "");
        store.delete(List.of("a", "b"));

        assertThat(store.requests()).isEqualTo(new Requests(3, 2, 5, 1, 1, 2, 1, 15, 13));
        assertThat(store.requests().total()).isEqualTo(12);
    }

    @Test
    void aDifferenceIsWhatCameInBetween() {
        store.create("a", bytes("12345"));
        Requests before = store.requests();
        store.create("a", bytes("123"));
        store.read("a", 5);

        assertThat(store.requests().minus(before))
                .isEqualTo(new Requests(1, 0, 1, 0, 0, 1, 0, 3, 5));
        assertThat(before).isEqualTo(new Requests(1, 0, 0, 0, 0, 0, 0, 5, 0));
    }

    @Test
    void noRequestOfAnyThreadIsMissed() throws Exception {
        together(
                4,
                thread -> {
                    for (int i = 0; i < 1_000; i++) {
                        store.create(thread + "/" + i, bytes("xy"));
                    }
                    return thread;
                });

        assertThat(store.requests()).isEqualTo(new Requests(4_000, 0, 0, 0, 0, 0, 0, 8_000, 0));
    }
}
