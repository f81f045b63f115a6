package io.batchweave.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.UnavailableException;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is busy breaks no promise. */
class UnansweredProbeTest {
    private static final Probe.Effort EFFORT = new Probe.Effort(3, 3);

    /** The answers of some creates are lost; every second of those was carried out. */
    private static final class BusyStore extends ForwardingStore {
        private final AtomicInteger creates = new AtomicInteger();
        private final int from;
        private final int to;

        BusyStore(ObjectStore store, int from, int to) {
            super(store);
            this.from = from;
            this.to = to;
        }

        @Override
        public Creation create(String key, ByteBuffer body) {
            int number = creates.getAndIncrement();
            boolean isLost = number >= from && number < to;
            Creation creation =
                    isLost && number % 2 == 0
                            ? new Creation.Unknown(new IOException("slow down"))
                            : super.create(key, body);
            return isLost ? new Creation.Unknown(new IOException("slow down")) : creation;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 5, 8})
    void someLostAnswersAreNoFinding(int from) {
        try (ObjectStore store = new BusyStore(new MemoryStore(World.real()), from, from + 2)) {
            assertThat(Probe.of(store, "probe", EFFORT).broken(ProbeReport.Use.WRITE)).isEmpty();
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotAvailable() {
        try (ObjectStore store =
                new BusyStore(new MemoryStore(World.real()), 0, Integer.MAX_VALUE)) {
            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> Probe.of(store, "probe", EFFORT))
                    .withMessage(
                            "Cannot probe memory:///: a create was not answered (slow down); try"
                                    + " again");
        }
    }
}
