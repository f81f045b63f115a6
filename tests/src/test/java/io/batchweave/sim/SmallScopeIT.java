package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All interleavings of three participants of which any call fails: too many for a fast test. */
@Tag("LOG-3")
@Tag("LOG-6")
class SmallScopeIT {

    @Test
    void twoProcessesWantOneNameAndAThirdReadsAndAnyCallOfTheLogFails() {
        SmallScope scope = SmallScope.rivalsAndAFault().reader(1);

        scope.exhaust();

        assertThat(scope.runs()).isEqualTo(13_826);
    }
}
