package io.batchweave.sim;

import java.util.Optional;
import java.util.stream.LongStream;

/** Simulations of many seeds, and all runs of a small scope. */
public final class Campaign {
    private Campaign() {}

    /** What goes wrong first, with this many seeds or with two rivals; empty if all goes well. */
    public static Optional<String> firstFailure(long seeds) {
        return firstFailure(LongStream.range(0, seeds)).or(Campaign::failureOfRivals);
    }

    private static Optional<String> failureOfRivals() {
        try {
            SmallScope.rivalsAndAFault().exhaust();
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(Stack.of(e));
        }
    }

    /** What goes wrong first, and how to see it again. */
    static Optional<String> firstFailure(LongStream seeds) {
        return seeds.mapToObj(Campaign::failure).flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> failure(long seed) {
        Simulation simulation = new Simulation(seed);
        try (simulation) {
            simulation.run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(
                    "Replay with: mvn verify -Psimulation -Dseed="
                            + seed
                            + "\n"
                            + Stack.of(e)
                            + "after\n"
                            + String.join("\n", simulation.trace()));
        }
    }
}
