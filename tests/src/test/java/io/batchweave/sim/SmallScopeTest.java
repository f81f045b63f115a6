package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All interleavings of a few participants. The numbers are the runs that are made; each stands for
 * all that differ from it only in the order of calls that commute. They change with the number of
 * calls that the code makes, and then are to be looked at: more of the world should not be a
 * surprise, and less of it no relief.
 */
@Tag("LOG-2")
@Tag("LOG-3")
class SmallScopeTest {

    /**
     * Each opens, uploads and publishes: three to nine calls, and five ways to fail at a create.
     */
    @Test
    @Tag("LOG-6")
    @Tag("STORE-1")
    @Tag("STORE-2")
    void twoProcessesWantOneNameAndAnyCallOfTheLogFails() {
        SmallScope rivals = SmallScope.rivalsAndAFault();

        rivals.exhaust();

        assertThat(rivals.runs()).isEqualTo(1086);
    }

    /** Runs of 13 to 24 calls: 3 to 10 of each producer, 2 to 8 of the reader. */
    @Test
    @Tag("READ-3")
    void twoProducersAndAReader() {
        SmallScope scope = new SmallScope(0).producer("p", 1).producer("q", 1).reader(2);

        scope.exhaust();

        assertThat(scope.runs()).isEqualTo(896);
    }
}
