package io.batchweave.read;

import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Says why a step is not there yet, as far as the log tells. */
final class Unpublished {
    /** So many producers are named; a thousand would not fit a line. */
    private static final int PRODUCERS_MAX = 5;

    private Unpublished() {}

    static String why(State state, Duration waited) {
        return "not published within "
                + waited.toMillis()
                + " ms; "
                + newest(state)
                + "; "
                + producers(state)
                + "; wait longer, or look at the producers";
    }

    private static String newest(State state) {
        return state.nextStep() == 0
                ? "no step is published"
                : "the newest is " + (state.nextStep() - 1);
    }

    private static String producers(State state) {
        List<String> unfinished = state.unfinished();
        if (unfinished.isEmpty()) {
            return state.producers().isEmpty()
                    ? "no producer has opened yet"
                    : "every producer has finished, and the dataset is not sealed";
        }
        String named =
                unfinished.stream()
                        .limit(PRODUCERS_MAX)
                        .map(name -> described(name, state))
                        .collect(Collectors.joining(", "));
        int others = unfinished.size() - PRODUCERS_MAX;
        return others > 0 ? named + " and " + others + " others are not finished" : named;
    }

    private static String described(String name, State state) {
        return "producer "
                + name
                + state.producer(name)
                        .map(ProducerState::lastActivity)
                        .map(at -> " was last active at " + at)
                        .orElse(" has not opened yet");
    }
}
