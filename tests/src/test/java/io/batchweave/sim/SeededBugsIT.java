package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds the bugs that it is there for. */
class SeededBugsIT {
    private static final long SEEDS = 1_500;

    @ParameterizedTest
    @EnumSource
    void isFound(Bug bug) throws ReflectiveOperationException {
        assertThat(firstFailure(Mutant.with(bug), SEEDS)).as("a failure of %s", bug).isPresent();
    }

    @Test
    void withoutABugNothingIsFound() throws ReflectiveOperationException {
        assertThat(firstFailure(Mutant.without(Bug.GAP_IS_ACCEPTED), 20)).isEmpty();
    }

    private static Optional<?> firstFailure(Mutant code, long seeds)
            throws ReflectiveOperationException {
        Class<?> campaign = code.loadClass(Campaign.class.getName());
        assertThat(campaign).isNotSameAs(Campaign.class);
        return (Optional<?>) campaign.getMethod("firstFailure", long.class).invoke(null, seeds);
    }
}
