package io.batchweave.produce;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** Any number of incarnations of a few producers, on a store that fails, in any order of events. */
class RandomProducersTest {

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    @Tag("LOG-5")
    @Tag("LOG-6")
    @Tag("PRODUCE-1")
    @Tag("PRODUCE-2")
    @Tag("PRODUCE-3")
    @Tag("PRODUCE-4")
    void everyAcknowledgedBatchIsInOnceAndInOrder(@ForAll long seed) {
        try (ProducerSimulation simulation = new ProducerSimulation(seed)) {
            simulation.run(100);
            simulation.assertHistory();
            simulation.assertEveryProducerCanGoOn();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }
}
