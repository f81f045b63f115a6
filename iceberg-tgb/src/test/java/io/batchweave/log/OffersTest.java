package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.state.History;
import io.batchweave.store.Creation;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often a commit is offered, and what is said when none of the offers is confirmed. */
@Tag("STORE-1")
class OffersTest {
    private static final Creation UNKNOWN = new Creation.Unknown(new IOException("planned"));
    private static final Duration A_MOMENT = Duration.ofNanos(1);

    /** The chance that every random time is as long as it can be. */
    private static final RandomGenerator LONGEST =
            new RandomGenerator() {
                @Override
                public long nextLong() {
                    return 0;
                }

                @Override
                public long nextLong(long bound) {
                    return bound - 1;
                }
            };

    private final HandClock clock = new HandClock(History.START);
    private final World world = new World(clock, clock.world(0).pause(), LONGEST);
    private final Offers offers = new Offers(world, LogLimits.DEFAULT, "do this", "memory:///");

    @Test
    void timesBetweenOffersDoubleUpToASecond() {
        for (int i = 0; i < 10; i++) {
            offers.awaitNext();
            offers.made(UNKNOWN);
        }

        assertThat(clock.pauses())
                .extracting(pause -> pause.plus(A_MOMENT).toMillis())
                .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L);
        assertThat(offers.made()).isEqualTo(10);
    }

    @Test
    void noOfferIsDueWhenTimeIsUp() {
        offers.awaitNext();
        offers.made(UNKNOWN);
        clock.move(LogLimits.DEFAULT.append().minus(A_MOMENT));
        assertThat(offers.timeRemains()).isTrue();

        clock.move(A_MOMENT);
        assertThat(offers.timeRemains()).isFalse();
        assertThatExceptionOfType(CommitUnknownException.class)
                .isThrownBy(offers::awaitNext)
                .withMessage(
                        "Cannot do this in memory:///: the commit was not confirmed within 60 s,"
                                + " after 1 offers; it may still arrive, so do the same again and"
                                + " delete nothing")
                .withCauseInstanceOf(IOException.class);
        assertThat(clock.pauses()).isEmpty();
    }

    @Test
    void noDoubtIsLeftWhereNothingWasOffered() {
        clock.move(LogLimits.DEFAULT.append());

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(offers::awaitNext)
                .withMessage(
                        "Cannot do this in memory:///: reading what is there took more than 60 s;"
                                + " nothing was offered, so try again");
    }

    @Test
    void failureIsPlainBeforeTheFirstOfferAndADoubtAfterwards() {
        UnavailableException failure = new UnavailableException("no");
        assertThat(offers.failure(failure))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("Cannot do this in memory:///: nothing was offered (no)")
                .hasCause(failure);
        assertThat(offers.failure(new NoAccessException("no")))
                .isInstanceOf(NoAccessException.class);

        offers.made(new Creation.Refused(History.START));

        assertThat(offers.failure(failure))
                .isInstanceOf(CommitUnknownException.class)
                .hasMessageContaining("because the store failed, after 1 offers")
                .hasCause(failure);
    }
}
