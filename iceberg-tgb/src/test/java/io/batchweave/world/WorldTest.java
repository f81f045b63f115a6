package io.batchweave.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorldTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private final HandClock clock = new HandClock(START);
    private final World world = clock.world(1);

    @Test
    void deadlineRemainsUntilItsEnd() {
        Deadline deadline = world.deadline(Duration.ofSeconds(10));
        assertThat(deadline.end()).isEqualTo(START.plusSeconds(10));
        assertThat(deadline.remains()).isTrue();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(10));

        clock.move(Duration.ofMillis(9_999));
        assertThat(deadline.remains()).isTrue();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(1));

        clock.move(Duration.ofMillis(1));
        assertThat(deadline.remains()).isFalse();
        assertThat(deadline.remaining()).isZero();

        clock.move(Duration.ofDays(1));
        assertThat(deadline.remains()).isFalse();
        assertThat(deadline.remaining()).isZero();
    }

    @Test
    void aLimitBeyondAllCalendarsIsACentury() {
        World world = new HandClock(Instant.EPOCH).world(1);

        assertThat(world.deadline(Duration.ofSeconds(Long.MAX_VALUE)).end())
                .isEqualTo(Instant.EPOCH.plus(Duration.ofDays(36_525)));
    }

    @Test
    void randomPauseIsShorterThanItsMost() {
        for (int i = 0; i < 1_000; i++) {
            world.pauseUpTo(Duration.ofMillis(10));
        }

        assertThat(clock.pauses())
                .hasSize(1_000)
                .allMatch(pause -> !pause.isNegative() && pause.toNanos() < 10_000_000)
                .anyMatch(pause -> pause.toNanos() < 2_000_000)
                .anyMatch(pause -> pause.toNanos() > 8_000_000);
    }

    @Test
    void randomPauseOfNoTimeTakesNone() {
        world.pauseUpTo(Duration.ZERO);

        assertThat(clock.pauses()).containsExactly(Duration.ZERO);
    }

    @Test
    void newIdsAreRandomUuids() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(world.newId());
        }

        assertThat(ids)
                .hasSize(10_000)
                .allMatch(
                        id ->
                                id.matches(
                                        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    }

    @Test
    void seededWorldRepeatsItsChance() {
        assertThat(world.seeded(7).newId()).isEqualTo(world.seeded(7).newId());
        assertThat(world.seeded(7).newId()).isNotEqualTo(world.seeded(8).newId());
        assertThat(world.seeded(7).clock()).isSameAs(world.clock());
        assertThat(world.seeded(7).pause()).isSameAs(world.pause());
        assertThat(world.seeded(7).newId())
                .isEqualTo(new World(clock, world.pause(), new SplittableRandom(7)).newId());
    }

    @Test
    void realClockStartsAtTheSystemsTimeAndGoesForward() {
        Instant before = Instant.now();
        World real = World.real();
        Instant first = real.clock().instant();

        assertThat(first).isBetween(before.minusSeconds(1), before.plusSeconds(60));
        assertThat(real.clock().instant()).isAfterOrEqualTo(first);
        assertThat(real.newId()).isNotEqualTo(World.real().newId());
    }

    @Test
    void realPauseLastsItsTime() {
        World real = World.real();
        Instant before = real.clock().instant();

        real.pause().pause(Duration.ofMillis(3));

        assertThat(Duration.between(before, real.clock().instant()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(3));
    }

    @Test
    @Timeout(30)
    void interruptEndsTheRealPauseAndIsKept() {
        Thread.currentThread().interrupt();

        World.real().pause().pause(Duration.ofHours(1));

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
    }

    @Test
    @Timeout(30)
    void awaitReturnsWhenTheFutureIsDoneHoweverItCameOut() throws InterruptedException {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);

        world.pause().await(CompletableFuture.completedFuture(1));
        world.pause().await(CompletableFuture.failedFuture(new IllegalStateException("planned")));
        world.pause().await(cancelled);

        CompletableFuture<Void> later = new CompletableFuture<>();
        Thread other = new Thread(() -> later.complete(null));
        other.start();
        world.pause().await(later);
        assertThat(later).isDone();
    }

    @Test
    void interruptEndsAwaiting() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> world.pause().await(new CompletableFuture<>()));
    }
}
