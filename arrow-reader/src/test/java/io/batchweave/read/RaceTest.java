package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fetches beside each other: one step comes of them, and nothing is left. */
class RaceTest {
    private final Race<Step> race = new Race<>();
    private final AtomicInteger open = new AtomicInteger();

    private final class Step implements Delivered {
        private final String name;

        Step(String name) {
            this.name = name;
            open.incrementAndGet();
        }

        @Override
        public Cursor cursor() {
            return new Cursor("id", 1, Bytes.copyOf(new byte[Bytes.SHA256_BYTES]));
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    private Step fails(String why) {
        throw new UnavailableException(why);
    }

    @Test
    void theFirstThatComesIsTheResultAndTheOtherIsClosed() {
        race.run(
                () -> {
                    race.run(() -> new Step("hedge"));
                    assertThat(race.result()).isDone();
                    assertThat(race.ended()).isNotDone();
                    return new Step("late");
                });

        assertThat(race.result().join().name).isEqualTo("hedge");
        assertThat(race.ended()).isDone();
        assertThat(open).hasValue(1);
    }

    @Test
    void oneThatFailsLeavesTheOther() {
        race.run(
                () -> {
                    race.run(() -> fails("hedge"));
                    return new Step("first");
                });
        assertThat(race.result().join().name).isEqualTo("first");

        Race<Step> other = new Race<>();
        other.run(
                () -> {
                    other.run(() -> new Step("hedge"));
                    return fails("first");
                });
        assertThat(other.result().join().name).isEqualTo("hedge");
        assertThat(other.ended()).isDone();
    }

    @Test
    void ifAllFailTheEarliestFailureIsTold() {
        race.run(
                () -> {
                    race.run(() -> fails("hedge"));
                    assertThat(race.result()).isNotDone();
                    return fails("first");
                });

        assertThat(race.result())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .withMessage("hedge");
        assertThat(race.ended()).isDone();
    }

    @Test
    void whoComesWhenAllIsOverFetchesNothing() {
        race.run(() -> new Step("first"));
        race.run(() -> fails("nobody asks"));
        assertThat(open).hasValue(1);

        Race<Step> failed = new Race<>();
        failed.run(() -> fails("first"));
        failed.run(() -> new Step("too late"));
        assertThat(open).hasValue(1);
        assertThat(failed.result()).isCompletedExceptionally();
        assertThat(failed.hedge()).isFalse();
    }

    @Test
    void thereIsOneHedge() {
        assertThat(race.hedge()).isTrue();
        assertThat(race.hedge()).isFalse();
    }
}
