package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a fetch counts as slow, and how many may be made twice. */
class HedgesTest {
    private static final Duration MOST = Duration.ofMinutes(1);

    private final HandClock clock = new HandClock(Instant.EPOCH);

    private Hedges hedges(double share) {
        return new Hedges(new FetchLimits(MOST, Duration.ofMillis(200), 3, share), clock);
    }

    private void fetch(Hedges hedges, int times, Duration took) {
        for (int i = 0; i < times; i++) {
            hedges.timed(
                    () -> {
                        clock.move(took);
                        return took;
                    });
        }
    }

    @Test
    void theDelayIsThreeMediansAndNotBelowTheLeast() {
        Hedges hedges = hedges(1);
        fetch(hedges, 20, Duration.ofMillis(10));
        assertThat(hedges.delay()).contains(Duration.ofMillis(200));

        fetch(hedges, 44, Duration.ofMillis(100));
        fetch(hedges, 20, Duration.ofSeconds(5));
        assertThat(hedges.delay()).contains(Duration.ofMillis(300));
    }

    @Test
    void aFewFetchesTellNothing() {
        Hedges hedges = hedges(1);
        fetch(hedges, 7, Duration.ofMillis(10));
        assertThat(hedges.delay()).isEmpty();
        fetch(hedges, 1, Duration.ofMillis(10));
        assertThat(hedges.delay()).isPresent();
    }

    @Test
    void aStoreThatIsAlwaysSlowIsNotAskedTwice() {
        Hedges hedges = hedges(1);
        fetch(hedges, 20, Duration.ofSeconds(20));
        assertThat(hedges.delay()).isEmpty();
    }

    @Test
    void hedgesAreAShareOfTheFetchesAndOneAtATime() {
        Hedges hedges = hedges(0.05);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        fetch(hedges, 100, Duration.ofMillis(10));
        hedges.started(ended);
        assertThat(hedges.delay()).as("one is under way").isEmpty();
        ended.complete(null);
        for (int i = 1; i < 5; i++) {
            assertThat(hedges.delay()).isPresent();
            hedges.started(ended);
        }
        assertThat(hedges.delay()).as("5 of 100").isEmpty();
        fetch(hedges, 20, Duration.ofMillis(10));
        assertThat(hedges.delay()).isPresent();
        assertThat(hedges(0).delay()).isEmpty();
    }

    @Test
    void limitsMakeSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FetchLimits(MOST, MOST, 3, 1.5))
                .withMessageContaining("a share up to 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FetchLimits(MOST, Duration.ofMillis(-1), 3, 0));
        assertThat(FetchLimits.DEFAULT.withoutHedges().hedgeShare()).isZero();
        assertThat(new ReadLimits(1, 2).with(FetchLimits.DEFAULT)).isEqualTo(new ReadLimits(1, 2));
    }
}
