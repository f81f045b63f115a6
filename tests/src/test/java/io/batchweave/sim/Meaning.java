package io.batchweave.sim;

import io.batchweave.model.Bytes;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import java.util.Map;
import java.util.TreeMap;

/** What a log means up to a version, as far as it fits a line. */
record Meaning(
        long version,
        String datasetId,
        long steps,
        Bytes receipt,
        boolean sealed,
        Map<String, Known> producers) {

    /** What is known of a producer. */
    record Known(long epoch, String openingId, long next, boolean finished, Bytes progress) {
        static Known of(ProducerState state) {
            return new Known(
                    state.epoch(),
                    state.openingId(),
                    state.nextSequence(),
                    state.finished(),
                    state.progress());
        }
    }

    Meaning {
        producers = Map.copyOf(producers);
    }

    static Meaning of(State state) {
        Map<String, Known> producers = new TreeMap<>();
        state.producers().forEach((name, known) -> producers.put(name, Known.of(known)));
        return new Meaning(
                state.version(),
                state.dataset().id(),
                state.nextStep(),
                state.receipt(),
                state.phase() == State.Phase.SEALED,
                producers);
    }
}
