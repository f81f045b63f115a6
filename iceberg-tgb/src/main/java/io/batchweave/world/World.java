package io.batchweave.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Time, sleep and chance. */
public record World(InstantSource clock, Pause pause, RandomGenerator random) {
    private static final Duration CENTURY = Duration.ofDays(36_525);

    /** The real one. Its clock starts at the system's time and from then on only goes forward. */
    public static World real() {
        Instant start = Instant.now();
        long startNanos = System.nanoTime();
        InstantSource clock = () -> start.plusNanos(System.nanoTime() - startNanos);
        return new World(clock, World::sleep, new java.security.SecureRandom());
    }

    /** A new unique id: a random UUID. */
    public String newId() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | (1L << 63);
        return new UUID(high, low).toString();
    }

    /** The moment at which a limit that starts now is over; one of centuries ends after one. */
    public Deadline deadline(Duration limit) {
        Duration bounded = limit.compareTo(CENTURY) < 0 ? limit : CENTURY;
        return new Deadline(clock, clock.instant().plus(bounded));
    }

    /** Pauses for a random time below {@code most}. */
    public void pauseUpTo(Duration most) {
        pause.pause(Duration.ofNanos(random.nextLong(Math.max(1, most.toNanos()))));
    }

    /** The same world with repeatable chance. */
    public World seeded(long seed) {
        return new World(clock, pause, new SplittableRandom(seed));
    }

    private static void sleep(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
