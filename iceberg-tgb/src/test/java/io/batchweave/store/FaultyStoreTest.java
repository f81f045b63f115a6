package io.batchweave.store;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultPlan.Script;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyStoreTest {
    private final MemoryStore store = new MemoryStore(World.real());
    private final Script script = new Script();
    private final FaultyStore faulty = new FaultyStore(store, script);

    /** A create and an upload come to the same. */
    private Creation create(Kind kind, String key, String body) {
        if (kind == Kind.CREATE) {
            return faulty.create(key, bytes(body));
        }
        try (Upload upload = faulty.upload(key)) {
            upload.write(bytes(body));
            return upload.complete();
        }
    }

    private boolean exists(String key) {
        return store.read(key, 100) instanceof Fetched.Found;
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "COMPLETE"})
    void whatIsUnavailableWasCertainlyNotCreated(Kind kind) {
        script.next(kind, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> create(kind, "a", "x")).isInstanceOf(UnavailableException.class);
        assertThat(exists("a")).isFalse();
        assertThat(create(kind, "a", "x")).isInstanceOf(Creation.Done.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "COMPLETE"})
    @Tag("STORE-1")
    void unknownMeansDoneOrNotDone(Kind kind) {
        script.next(kind, Fault.REQUEST_LOST, Fault.ANSWER_LOST);

        assertThat(create(kind, "lost", "x")).isInstanceOf(Creation.Unknown.class);
        assertThat(exists("lost")).isFalse();
        assertThat(create(kind, "done", "x")).isInstanceOf(Creation.Unknown.class);
        assertThat(exists("done")).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "COMPLETE"})
    @Tag("STORE-2")
    void aRefusalMayBeOnesOwnDoing(Kind kind) {
        script.next(kind, Fault.TWICE);

        assertThat(create(kind, "a", "mine")).isInstanceOf(Creation.Refused.class);
        assertThat(text(store.read("a", 100))).isEqualTo("mine");
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "COMPLETE"})
    @Tag("STORE-1")
    void aLateRequestArrivesWhenNobodyWaitsForItAnyMore(Kind kind) {
        script.next(kind, Fault.LATE, Fault.LATE);
        assertThat(create(kind, "a", "late")).isInstanceOf(Creation.Unknown.class);
        assertThat(create(kind, "b", "late")).isInstanceOf(Creation.Unknown.class);
        assertThat(create(kind, "b", "second")).isInstanceOf(Creation.Done.class);
        assertThat(exists("a")).isFalse();

        faulty.applyLate();

        assertThat(text(store.read("a", 100))).isEqualTo("late");
        assertThat(text(store.read("b", 100))).isEqualTo("second");
    }

    @Test
    void readsAreRefusedOrSpoiled() {
        store.create("a", bytes("0123456789"));
        script.next(Kind.READ, Fault.UNAVAILABLE, Fault.TRUNCATED, Fault.FLIPPED, Fault.TWICE);

        assertThatThrownBy(() -> faulty.read("a", 10)).isInstanceOf(UnavailableException.class);
        assertThat(text(faulty.read("a", 10))).isEqualTo("01234");
        assertThat(body(faulty.read("a", 10)).mismatch(bytes("0123456789"))).isEqualTo(5);
        assertThat(text(faulty.read("a", 10))).isEqualTo("0123456789");
        assertThat(text(store.read("a", 10))).isEqualTo("0123456789");
    }

    @Test
    void rangesAreSpoiledInTheCallersBuffer() {
        store.create("a", bytes("0123456789"));
        script.next(Kind.READ, Fault.TRUNCATED, Fault.FLIPPED, Fault.TWICE);
        ByteBuffer target = ByteBuffer.allocate(4);

        assertThat(text(faulty.readInto("a", 2, target))).isEqualTo("23");
        assertThat(target.flip()).isEqualTo(bytes("23\0\0"));
        faulty.readInto("a", 2, target);
        assertThat(target.flip().mismatch(bytes("2345"))).isEqualTo(2);
        faulty.readInto("a", 2, target);
        assertThat(target.flip()).isEqualTo(bytes("2345"));
    }

    @Test
    void whatGoesThroughIsSpoiledOnTheWay() {
        store.create("a", bytes("0123456789"));
        script.next(
                Kind.READ,
                Fault.TRUNCATED,
                Fault.ANSWER_LOST,
                Fault.FLIPPED,
                Fault.TWICE,
                Fault.UNAVAILABLE);
        ByteBuffer seen = ByteBuffer.allocate(20);

        faulty.readThrough("a", 2, 4, seen::put);
        assertThatThrownBy(() -> faulty.readThrough("a", 2, 4, seen::put))
                .isInstanceOf(UnavailableException.class);
        assertThat(seen.flip()).isEqualTo(bytes("2323"));
        faulty.readThrough("a", 2, 4, seen.clear()::put);
        assertThat(seen.flip().mismatch(bytes("2345"))).isEqualTo(2);
        faulty.readThrough("a", 2, 4, seen.clear()::put);
        assertThat(seen.flip()).isEqualTo(bytes("2345"));
        assertThatThrownBy(() -> faulty.readThrough("a", 2, 4, piece -> {}))
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void listingsAndDeletionsFailToo() {
        store.create("a", bytes("x"));
        script.next(Kind.LIST, Fault.UNAVAILABLE, Fault.TWICE);
        script.next(Kind.DELETE, Fault.REQUEST_LOST, Fault.LATE, Fault.ANSWER_LOST, Fault.TWICE);

        assertThatThrownBy(() -> faulty.list("", "")).isInstanceOf(UnavailableException.class);
        assertThat(faulty.list("", "").objects()).hasSize(1);
        for (boolean left : new boolean[] {true, true, false}) {
            assertThatThrownBy(() -> faulty.delete(List.of("a")))
                    .isInstanceOf(UnavailableException.class);
            assertThat(exists("a")).isEqualTo(left);
        }
        faulty.delete(List.of("a"));

        store.create("a", bytes("reborn"));
        faulty.applyLate();
        assertThat(exists("a")).isFalse();
    }

    @Test
    void chanceIsRepeatable() {
        assertThat(outcomes(42)).isEqualTo(outcomes(42)).isNotEqualTo(outcomes(43));
    }

    private static List<String> outcomes(long seed) {
        FaultyStore chancy =
                new FaultyStore(
                        new MemoryStore(World.real()),
                        FaultPlan.random(new SplittableRandom(seed), 0.5));
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try {
                Creation creation = chancy.create("log/" + i / 2, bytes("x"));
                outcomes.add(creation.getClass().getSimpleName());
            } catch (UnavailableException e) {
                outcomes.add("unavailable");
            }
        }
        assertThat(outcomes).contains("Done", "Refused", "Unknown", "unavailable");
        return outcomes;
    }
}
