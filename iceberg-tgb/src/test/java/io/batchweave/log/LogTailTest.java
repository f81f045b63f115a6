package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entries;
import io.batchweave.state.History;
import io.batchweave.store.FaultPlan.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting for news, on a clock that moves when someone pauses. */
class LogTailTest {
    private final Stage stage = new Stage();
    private final Log log = stage.create();

    @Test
    void newsThatIsThereIsSeenAtOnce() {
        stage.rivalAppends(Entries.opening("p", 1));

        assertThat(log.awaitNews(0, stage.deadline(Duration.ofSeconds(5)))).isTrue();
        assertThat(log.state().version()).isEqualTo(1);
        assertThat(stage.clock.pauses()).isEmpty();
    }

    @Test
    void newsThatIsThereIsSeenThoughTimeIsUp() {
        stage.rivalAppends(Entries.opening("p", 1));

        assertThat(log.awaitNews(0, stage.deadline(Duration.ZERO))).isTrue();
    }

    @Test
    void newsIsSeenWhenItComes() {
        List<Duration> waits = new ArrayList<>();
        stage.clock.whilePausing(
                pause -> {
                    waits.add(pause);
                    if (waits.size() == 3) {
                        stage.rivalAppends(Entries.opening("p", 1));
                    }
                });

        assertThat(log.awaitNews(0, stage.deadline(Duration.ofSeconds(5)))).isTrue();
        assertThat(waits).hasSize(3);
        assertThat(log.state()).isEqualTo(stage.truth());
    }

    @Test
    void newsIsWhatComesAfterTheVersionThatWasAskedFor() {
        stage.rivalAppends(Entries.opening("p", 1));

        assertThat(log.awaitNews(1, stage.deadline(Duration.ofSeconds(5)))).isFalse();
        assertThat(log.state().version()).isEqualTo(1);
        assertThat(log.awaitNews(0, stage.deadline(Duration.ofSeconds(5)))).isTrue();
    }

    @Test
    void looksGrowRarerWhileNothingComes() {
        assertThat(log.awaitNews(0, stage.deadline(Duration.ofMillis(450)))).isFalse();

        assertThat(stage.clock.pauses())
                .extracting(Duration::toMillis)
                .containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 100L, 100L, 100L, 24L);
        assertThat(stage.reads()).as("one before each pause and one at the end").isEqualTo(11);
        assertThat(Duration.between(History.START, stage.clock.instant()).toMillis())
                .isEqualTo(450);
    }

    @Test
    void looksNeverGrowRarerThanTheyMay() {
        LogLimits limits = LogLimits.DEFAULT;

        assertThat(limits.poll(0)).isEqualTo(Duration.ofMillis(2));
        assertThat(limits.poll(1_000_000)).isEqualTo(limits.pollMost());
        assertThat(limits.poll(Integer.MAX_VALUE)).isEqualTo(Duration.ofMillis(100));
        assertThat(limits.backOff(0)).isEqualTo(Duration.ofMillis(10));
        assertThat(limits.backOff(3)).isEqualTo(Duration.ofMillis(80));
        assertThat(limits.backOff(64)).isEqualTo(Duration.ofSeconds(1));
        LogLimits slow =
                new LogLimits(
                        Duration.ofSeconds(1),
                        Duration.ofNanos(1),
                        Duration.ofDays(1),
                        Duration.ofNanos(1),
                        Duration.ofDays(1),
                        1);
        assertThat(slow.poll(20)).isEqualTo(Duration.ofNanos(1 << 20));
        assertThat(slow.poll(21)).isEqualTo(Duration.ofNanos(1 << 20));
    }

    @Test
    void logThatGrowsAsFastAsItIsReadHoldsNobodyBeyondTheDeadline() {
        stage.rivalAppends(Entries.opening("p", 0));
        for (int i = 1; i < 100; i++) {
            int id = i;
            stage.before(
                    Kind.READ,
                    () -> {
                        stage.rivalAppends(Entries.opening("p", id));
                        stage.clock.move(Duration.ofMillis(100));
                    });
        }

        assertThat(log.awaitNews(0, stage.deadline(Duration.ofSeconds(1)))).isTrue();
        assertThat(log.state().version()).isEqualTo(10);
    }

    @Test
    void interruptEndsTheWaitAndIsKept() {
        Thread.currentThread().interrupt();
        try {
            assertThat(log.awaitNews(0, stage.deadline(Duration.ofDays(1)))).isFalse();
        } finally {
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        }
        assertThat(stage.clock.pauses()).isEmpty();
    }
}
