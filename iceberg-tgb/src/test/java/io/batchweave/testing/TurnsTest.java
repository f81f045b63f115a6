package io.batchweave.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private final HandClock clock = new HandClock(START);
    private final MemoryStore store = new MemoryStore(clock.world(1));
    private final List<String> done = new ArrayList<>();

    private Turns turns(long seed) {
        return new Turns(Choice.random(new SplittableRandom(seed), 0), clock, 1_000);
    }

    private static World world(Host host) {
        return host.world(new SplittableRandom(1), Duration.ZERO);
    }

    private static void create(ObjectStore way, String key) {
        assertThat(way.create(key, ByteBuffer.allocate(1))).isNotNull();
    }

    @Test
    void theSameChoicesMakeTheSameRun() {
        assertThat(traceOfTwo(7)).hasSize(10).isEqualTo(traceOfTwo(7)).isNotEqualTo(traceOfTwo(8));
    }

    private List<String> traceOfTwo(long seed) {
        Turns turns = turns(seed);
        MemoryStore fresh = new MemoryStore(clock.world(1));
        for (String name : List.of("a", "b")) {
            Host host = turns.host(name);
            host.start(() -> List.of("1", "2", "3", "4").forEach(k -> create(host.at(fresh), k)));
        }
        turns.play();
        return turns.trace();
    }

    @Test
    void whoPausesGoesOnWhenTheTimeHasCome() {
        Turns turns = turns(1);
        for (int hours : List.of(3, 1, 2)) {
            Host host = turns.host("host " + hours);
            host.start(
                    () -> {
                        world(host).pause().pause(Duration.ofHours(hours));
                        done.add("after " + hours);
                    });
        }
        turns.play();

        assertThat(done).containsExactly("after 1", "after 2", "after 3");
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(3)));
    }

    @Test
    void whoWaitsForAnotherThreadGoesOnWhenItIsDone() {
        Turns turns = turns(1);
        Host host = turns.host("a");
        CompletableFuture<String> result = new CompletableFuture<>();
        host.start(
                () -> {
                    host.executor()
                            .execute(
                                    () -> {
                                        create(host.at(store), "x");
                                        result.complete("done");
                                    });
                    await(host, result);
                    done.add(result.join());
                });
        turns.play();

        assertThat(done).containsExactly("done");
    }

    private static void await(Host host, CompletableFuture<?> future) {
        try {
            world(host).pause().await(future);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void threadsThatWaitForEachOtherForEverAreTold() {
        Turns turns = turns(1);
        Host host = turns.host("a");
        host.start(() -> await(host, new CompletableFuture<>()));

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(turns::play)
                .withMessage("nobody can go on: [a await]");
    }

    @Test
    void whoGoesInCirclesIsTold() {
        Turns turns = turns(1);
        Host host = turns.host("a");
        host.start(
                () -> {
                    while (true) {
                        assertThat(host.at(store).read("x", 1)).isNotNull();
                    }
                });

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(turns::play)
                .withMessage("no end after 1000 moves");
    }

    @Test
    void aFailureEndsTheRun() {
        Turns turns = turns(1);
        turns.host("a")
                .start(
                        () -> {
                            throw new IllegalStateException("planned");
                        });

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(turns::play)
                .withMessage("planned");
    }

    @Test
    void whoIsKilledMakesNoFurtherMove() {
        Turns turns = turns(1);
        Host host = turns.host("a");
        host.start(
                () -> {
                    create(host.at(store), "before");
                    host.kill();
                    try {
                        create(host.at(store), "after");
                    } finally {
                        create(host.at(store), "on the way out");
                    }
                });
        turns.play();

        assertThat(store.list("", "").objects()).extracting(o -> o.key()).containsExactly("before");
    }

    @Test
    void whoIsFrozenGoesOnWhenItHasThawed() {
        Turns turns = turns(1);
        Host host = turns.host("a");
        turns.beforeMoves(
                moving -> {
                    turns.beforeMoves(next -> {});
                    moving.freeze(Duration.ofDays(1));
                });
        host.start(() -> create(host.at(store), "x"));
        Host other = turns.host("b");
        other.start(
                () -> {
                    world(other).pause().pause(Duration.ofHours(1));
                    done.add("meanwhile");
                });
        turns.play();

        assertThat(done).containsExactly("meanwhile");
        assertThat(clock.instant()).isAfterOrEqualTo(START.plus(Duration.ofDays(1)));
    }

    @Test
    void callsFromOutsideAreMade() throws InterruptedException {
        Host host = turns(1).host("a");
        create(host.at(store), "x");
        world(host).pause().pause(Duration.ofHours(1));
        world(host).pause().await(CompletableFuture.completedFuture("done"));

        assertThat(store.list("", "").objects()).hasSize(1);
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(1)));
    }
}
