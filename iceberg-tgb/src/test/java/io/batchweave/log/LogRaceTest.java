package io.batchweave.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.state.History;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Choice;
import io.batchweave.testing.Host;
import io.batchweave.testing.Turns;
import io.batchweave.world.Deadline;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers on one log. */
@Tag("LOG-3")
@Tag("LOG-4")
class LogRaceTest {
    private static final int SEEDS = 60;
    private static final long MOVES_MAX = 1_000_000;
    private static final long STEPS_EACH = 6;

    /**
     * Processes race for one log while calls fail in every way; two of them share a producer, and
     * fence each other. Whatever was acknowledged is in, all is in once, and no step is missing.
     */
    @Test
    @Tag("LOG-6")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyAcknowledgedClaimIsInOnceWhateverTheOrderAndTheFaults() {
        Long replayed = Long.getLong("batchweave.seed");
        LongStream seeds = replayed == null ? LongStream.range(0, SEEDS) : LongStream.of(replayed);
        seeds.forEach(
                seed -> {
                    try {
                        new Race(seed).run();
                    } catch (AssertionError | RuntimeException e) {
                        throw new AssertionError(
                                "Replay with: mvn -pl iceberg-tgb test -Dtest=LogRaceTest"
                                        + " -Dbatchweave.seed="
                                        + seed,
                                e);
                    }
                });
    }

    private static final class Race {
        private final SplittableRandom random;
        private final HandClock clock = new HandClock(History.START);
        private final MemoryStore memory = new MemoryStore(clock.world(1));
        private final FaultyStore faulty;
        private final Turns turns;
        private final Set<Claim> acknowledged = new HashSet<>();
        private final Map<Long, OpenProducer> confirmed = new HashMap<>();
        private final List<Log> logs = new ArrayList<>();
        private int hosts;

        Race(long seed) {
            random = new SplittableRandom(seed);
            double rate = random.nextInt(4) * 0.1;
            faulty = new FaultyStore(memory, withoutDamage(FaultPlan.random(random.split(), rate)));
            double stickiness = 0.5 + random.nextInt(2) * 0.4;
            turns = new Turns(Choice.random(random.split(), stickiness), clock, MOVES_MAX);
        }

        /** What damages bytes stops a reader, as it should; here it would only end the race. */
        private static FaultPlan withoutDamage(FaultPlan plan) {
            return new FaultPlan() {
                @Override
                public Fault faultOf(Call call) {
                    Fault fault = plan.faultOf(call);
                    return fault == Fault.FLIPPED || fault == Fault.TRUNCATED
                            ? Fault.UNAVAILABLE
                            : fault;
                }

                @Override
                public boolean late(Call call) {
                    return plan.late(call);
                }
            };
        }

        void run() {
            Log.create(memory, Stage.NAME, Entries.dataset("p", "q"), world(), LogLimits.DEFAULT);
            start(host -> produce(host, "p"));
            start(host -> produce(host, "q"));
            start(host -> produce(host, "q"));
            start(this::tail);
            turns.play();
            faulty.applyLate();
            check();
        }

        private void start(Consumer<Host> program) {
            Host host = turns.host("host " + hosts++);
            host.start(() -> program.accept(host));
        }

        private World world() {
            return new World(clock, clock.world(0).pause(), random.split());
        }

        private Log open(Host host) {
            ObjectStore store = host.at(faulty);
            World world = host.world(random.split(), Duration.ZERO);
            Log log = untilAvailable(() -> Log.open(store, Stage.NAME, world, LogLimits.DEFAULT));
            logs.add(log);
            return log;
        }

        /** Incarnation after incarnation, until the producer has its steps and has finished. */
        private void produce(Host host, String producer) {
            Log log = open(host);
            boolean more = true;
            while (more) {
                OpenProducer opening = new OpenProducer(producer, log.world().newId());
                Optional<State> opened = append(log, opening);
                more = opened.isPresent() && publish(log, opening, opened.get());
            }
        }

        /** Whether another incarnation is needed, since this one was fenced. */
        private boolean publish(Log log, OpenProducer opening, State opened) {
            ProducerState self = opened.producer(opening.producer()).orElseThrow();
            assertThat(self.openingId()).isEqualTo(opening.openingId());
            assertThat(confirmed.put(self.epoch(), opening)).as("epoch %s", self.epoch()).isNull();
            for (long sequence = self.nextSequence(); ; sequence++) {
                Claim claim = new Claim(opening.producer(), self.epoch(), sequence);
                boolean last = sequence >= STEPS_EACH;
                Optional<State> state =
                        append(
                                log,
                                last
                                        ? Entries.finish(claim.producer(), claim.epoch(), sequence)
                                        : Entries.publish(claim));
                if (state.isEmpty()) {
                    return true;
                }
                if (last) {
                    return false;
                }
                acknowledged.add(claim);
                assertThat(state.get().stepOf(claim)).as("step of %s", claim).isPresent();
            }
        }

        /** Appends until it is known whether the entry is in; empty if it can never be. */
        private Optional<State> append(Log log, Entry entry) {
            while (true) {
                try {
                    return Optional.of(log.append(List.of(entry)));
                } catch (CommitUnknownException | UnavailableException e) {
                    assertThat(e).hasMessageStartingWith("Cannot ");
                } catch (FencedException e) {
                    return Optional.empty();
                }
            }
        }

        /** A reader to whom the log only ever grows. */
        private void tail(Host host) {
            Log log = open(host);
            State before = log.state();
            while (before.phase() == State.Phase.OPEN) {
                long version = before.version();
                Deadline deadline = log.world().deadline(Duration.ofSeconds(1));
                boolean news = untilAvailable(() -> log.awaitNews(version, deadline));
                State state = log.state();
                assertThat(state.version() > version).isEqualTo(news);
                assertThat(state.nextStep()).isGreaterThanOrEqualTo(before.nextStep());
                assertThat(state.steps().recent().subList(0, (int) before.nextStep()))
                        .isEqualTo(before.steps().recent());
                before = state;
            }
        }

        private interface Asking<T> {
            T ask();
        }

        private static <T> T untilAvailable(Asking<T> asking) {
            while (true) {
                try {
                    return asking.ask();
                } catch (UnavailableException e) {
                    assertThat(e).hasMessageContaining("planned");
                }
            }
        }

        private void check() {
            State truth = Log.open(memory, Stage.NAME, world(), LogLimits.DEFAULT).state();
            assertThat(truth.phase()).isEqualTo(State.Phase.SEALED);
            List<Claim> claims = truth.steps().recent().stream().map(StepRecord::claim).toList();
            assertThat(claims).containsAll(acknowledged).doesNotHaveDuplicates();
            for (String producer : List.of("p", "q")) {
                List<Claim> own =
                        claims.stream().filter(c -> c.producer().equals(producer)).toList();
                assertThat(own)
                        .extracting(Claim::sequence)
                        .containsExactlyElementsOf(
                                LongStream.range(0, STEPS_EACH).boxed().toList());
                assertThat(own).isSortedAccordingTo(Comparator.comparingLong(Claim::epoch));
            }
            for (Log log : logs) {
                assertThat(untilAvailable(log::catchUp)).isEqualTo(truth);
            }
        }
    }

    @Test
    @Timeout(60)
    void threadsOnOneLogTakeTurns() throws Exception {
        Stage stage = new Stage();
        Log log = stage.create();
        int threads = 8;
        int batches = 25;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> running =
                    IntStream.range(0, threads)
                            .mapToObj(t -> pool.submit(() -> publish(log, "p" + t, batches)))
                            .toList();
            for (Future<Long> producer : running) {
                assertThat(producer.get()).isEqualTo(batches);
            }
        } finally {
            pool.shutdownNow();
        }

        State state = log.state();
        assertThat(state.nextStep()).isEqualTo((long) threads * batches);
        assertThat(state).isEqualTo(stage.truth());
        assertThat(stage.creates()).as("one for each commit").isEqualTo(state.version());
        assertThat(stage.reads()).isZero();
    }

    private static long publish(Log log, String producer, int batches) {
        Entry opening = Entries.opening(producer, producer.hashCode());
        long epoch = log.append(List.of(opening)).producer(producer).orElseThrow().epoch();
        for (int i = 0; i < batches; i++) {
            Claim claim = new Claim(producer, epoch, i);
            assertThat(log.append(List.of(Entries.publish(claim))).stepOf(claim)).isPresent();
        }
        return log.state().producer(producer).orElseThrow().steps();
    }
}
