package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.store.Fault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real producers, readers and jobs in simulated worlds, each made by a seed. */
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
@Tag("READ-5")
@Tag("JOB-3")
@Tag("JOB-4")
@Tag("PRODUCE-5")
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

    @Test
    void everythingThatCanGoWrongDoes() {
        String all =
                LongStream.range(0, 60)
                        .mapToObj(SimulationTest::trace)
                        .flatMap(List::stream)
                        .collect(Collectors.joining("\n"));

        assertThat(Fault.values())
                .filteredOn(fault -> fault != Fault.NONE)
                .allSatisfy(fault -> assertThat(all).contains("| " + fault));
        assertThat(all)
                .contains("| killed", "| frozen", "#2 begin", "network create", "| Refused")
                .contains("meddler", "twin", "loop", "half")
                .contains("rank", "operator", "evaluator", "| without power");
    }

    private static List<String> trace(long seed) {
        try (Simulation simulation = new Simulation(seed)) {
            simulation.run();
            return simulation.trace();
        }
    }
}
