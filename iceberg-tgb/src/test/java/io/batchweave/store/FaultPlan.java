package io.batchweave.store;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;

/** Decides what goes wrong with which call. Used by one thread at a time. */
@FunctionalInterface
public interface FaultPlan {
    /** What is called. */
    enum Kind {
        CREATE,
        /** The completion of an upload. */
        COMPLETE,
        /** A read of a whole object or of a range. */
        READ,
        LIST,
        DELETE;

        /** The faults that such a call can have. */
        public List<Fault> faults() {
            return switch (this) {
                case CREATE, COMPLETE, DELETE ->
                        List.of(
                                Fault.UNAVAILABLE,
                                Fault.REQUEST_LOST,
                                Fault.ANSWER_LOST,
                                Fault.TWICE,
                                Fault.LATE);
                case READ -> List.of(Fault.UNAVAILABLE, Fault.TRUNCATED, Fault.FLIPPED);
                case LIST -> List.of(Fault.UNAVAILABLE);
            };
        }
    }

    /** One call; of a deletion, the key is the first one's, or empty. */
    record Call(Kind kind, String key) {}

    /** What goes wrong with this call. */
    Fault faultOf(Call call);

    /** Whether the oldest of the late requests arrives before this call. */
    default boolean late(Call call) {
        return false;
    }

    /** Nothing goes wrong. */
    static FaultPlan none() {
        return call -> Fault.NONE;
    }

    /**
     * Every call fails with a chance of {@code rate}, from 0 to 1, in one of the ways that calls of
     * its kind can; late requests arrive with the same chance before any call.
     */
    static FaultPlan random(RandomGenerator random, double rate) {
        return new FaultPlan() {
            @Override
            public Fault faultOf(Call call) {
                List<Fault> faults = call.kind().faults();
                return hits() ? faults.get(random.nextInt(faults.size())) : Fault.NONE;
            }

            @Override
            public boolean late(Call call) {
                return hits();
            }

            private boolean hits() {
                return random.nextDouble() < rate;
            }
        };
    }

    /** The given faults, for the next calls of their kinds; then nothing. */
    final class Script implements FaultPlan {
        private final Map<Kind, Queue<Fault>> faults = new EnumMap<>(Kind.class);

        /** Adds faults for the next calls of a kind that have none yet. */
        public Script next(Kind kind, Fault... next) {
            faults.computeIfAbsent(kind, k -> new ArrayDeque<>()).addAll(List.of(next));
            return this;
        }

        @Override
        public Fault faultOf(Call call) {
            Queue<Fault> left = faults.getOrDefault(call.kind(), new ArrayDeque<>());
            return left.isEmpty() ? Fault.NONE : left.remove();
        }
    }
}
