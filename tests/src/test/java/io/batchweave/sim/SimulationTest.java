package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real producers and readers in simulated worlds, each made by a seed. */
@Tag("LOG-1")
@Tag("LOG-2")
@Tag("LOG-3")
@Tag("LOG-4")
@Tag("LOG-5")
@Tag("LOG-6")
@Tag("PRODUCE-1")
@Tag("PRODUCE-2")
@Tag("PRODUCE-3")
@Tag("READ-3")
class SimulationTest {
    private static final int SEEDS = 300;

    @Test
    void whatParticipantsAreToldIsTrueWhateverTheOrderAndTheFaults() {
        Long replayed = Long.getLong("seed");
        LongStream seeds =
                replayed == null
                        ? LongStream.range(0, Integer.getInteger("seeds", SEEDS))
                        : LongStream.of(replayed);

        Campaign.firstFailure(seeds).ifPresent(Assertions::fail);
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 0; seed < 10; seed++) {
            List<String> first = trace(seed);
            assertThat(first).hasSizeGreaterThan(50).isEqualTo(trace(seed));
        }
        assertThat(trace(1)).isNotEqualTo(trace(2));
    }

    private static List<String> trace(long seed) {
        try (Simulation simulation = new Simulation(seed)) {
            simulation.run();
            return simulation.trace();
        }
    }
}
