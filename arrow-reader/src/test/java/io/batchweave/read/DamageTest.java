package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Layout;
import io.batchweave.model.Slice;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Fetched;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payload that is not what was published. */
class DamageTest {
    private final Scene scene = new Scene("dp=4");
    private String key;

    @BeforeEach
    void publish() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < 4; i++) {
            scene.publish(producer, i);
        }
        key = new Layout(Scene.NAME).part(scene.truth().step(1).claim(), 0);
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    @Tag("READ-2")
    @Tag("PAYLOAD-7")
    void aFlippedBitAnywhereInASliceIsFound() {
        for (Slice slice : slices()) {
            for (long at = slice.offset(); at < slice.offset() + slice.length(); at += 97) {
                int place = (int) at;
                replace(bytes -> bytes.put(place, (byte) (bytes.get(place) ^ 4)));
                assertCorrupt(
                        "dp=0/1",
                        "their CRC-32C is ",
                        "and the commit says %08x".formatted(slice.crc32c()));
                replace(bytes -> bytes.put(place, (byte) (bytes.get(place) ^ 4)));
            }
        }
        try (Rank rank = Rank.at(scene, "dp=0/1", 1)) {
            assertThat(rank.read().step()).as("mended").isEqualTo(1);
        }
    }

    @Test
    @Tag("READ-2")
    void damageElsewhereIsNoMatter() {
        int place = (int) slices().get(3).offset();
        replace(bytes -> bytes.put(place, (byte) (bytes.get(place) ^ 1)));

        try (Rank rank = Rank.at(scene, "dp=0/2", 0)) {
            for (int step = 0; step < 4; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        }
    }

    @Test
    @Tag("READ-2")
    void aMissingObjectIsNamed() {
        scene.memory().delete(List.of(key));

        assertCorrupt("dp=0/1", "the log names it, and it is not there; restore the object");
    }

    @Test
    @Tag("READ-2")
    void anObjectThatEndsEarlyIsNamed() {
        Slice last = slices().get(3);
        replace(bytes -> bytes.limit((int) (last.offset() + last.length() - 1)));

        assertCorrupt("dp=0/1", "has only");
        assertCorrupt("dp=3/4", "has only");
    }

    @Test
    @Tag("READ-2")
    void anAnswerOfOtherBytesIsFound() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 1)) {
            scene.next(Kind.READ, Fault.FLIPPED);
            assertThatExceptionOfType(CorruptException.class).isThrownBy(rank::read);
        }
        try (Rank rank = Rank.at(scene, "dp=0/1", 1)) {
            scene.next(Kind.READ, Fault.TRUNCATED);
            assertThatExceptionOfType(CorruptException.class).isThrownBy(rank::read);
        }
    }

    /** What was fetched ahead is not delivered in place of the step that cannot be read. */
    @Test
    @Tag("READ-3")
    void aReaderNeverGoesOnAfterAStepThatCannotBeRead() {
        scene.memory().delete(List.of(key));
        HandExecutor fetchers = new HandExecutor();
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers)) {
            rank.read();
            fetchers.runAll();
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(CorruptException.class)
                        .isThrownBy(rank::read)
                        .withMessageContaining(key);
                assertThat(rank.reader().nextStep()).isEqualTo(1);
            }
        }
    }

    @Test
    void aStepThatTheStoreDidNotGiveIsAskedForAgain() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 1)) {
            scene.next(Kind.READ, Fault.UNAVAILABLE);
            assertThatExceptionOfType(UnavailableException.class).isThrownBy(rank::read);
            assertThat(rank.reader().nextStep()).isEqualTo(1);

            assertThat(rank.read().step()).isEqualTo(1);
        }
    }

    private List<Slice> slices() {
        return scene.truth().step(1).batch().parts().get(0).slices();
    }

    /** Puts something else where the payload of step 1 lies. */
    private void replace(UnaryOperator<ByteBuffer> change) {
        ByteBuffer body = ((Fetched.Found) scene.memory().read(key, Integer.MAX_VALUE)).body();
        ByteBuffer copy = ByteBuffer.allocate(body.remaining()).put(body).flip();
        scene.memory().delete(List.of(key));
        scene.memory().create(key, change.apply(copy));
    }

    private void assertCorrupt(String place, String... why) {
        try (Rank rank = Rank.at(scene, place, 1)) {
            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(rank::read)
                    .withMessageContaining(key)
                    .withMessageContainingAll(why);
        }
    }
}
