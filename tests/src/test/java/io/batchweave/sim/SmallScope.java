package io.batchweave.sim;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Layout;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.Timekeeper;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Host;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Turns;
import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * A few participants that have opened the log before the first move, and all that can happen to
 * them: every order of their calls, and every one of so many faults at every call.
 */
final class SmallScope {
    private static final DatasetName NAME = DatasetName.parse("sim.small");
    private static final Layout LAYOUT = new Layout(NAME);
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private static final CreateDataset DATASET = Numbers.dataset("dp=1");
    private static final long MOVES_MAX = 1_000;

    private final int faultsMax;
    private final List<Participant> participants = new ArrayList<>();
    private final AllChoices choices = new AllChoices();
    private final MemoryStore empty = new MemoryStore(new HandClock(START).world(1));
    private long runs;
    private long givenUp;

    /** Somebody who takes part, by a log that is open. */
    private interface Participant {
        void run(Life life, Log log);
    }

    SmallScope(int faultsMax) {
        this.faultsMax = faultsMax;
        Log.create(empty, NAME, DATASET, new HandClock(START).world(2), LogLimits.DEFAULT);
    }

    /** Two processes want to be one producer, and one call fails in any way that calls can. */
    static SmallScope rivalsAndAFault() {
        return new SmallScope(1).producer("p", 1).producer("p", 1);
    }

    /** Opens the producer and publishes what is left of so many batches; a failure ends it. */
    SmallScope producer(String name, long batches) {
        participants.add(
                (life, log) -> {
                    try (Producer producer =
                            Producer.open(log, name, ProducerLimits.DEFAULT, Runnable::run)) {
                        var self = new ProducerProgram.Incarnation(life, log, producer, name);
                        while (self.next() < batches) {
                            self.publish();
                        }
                        producer.flush();
                    } catch (BatchWeaveException e) {
                        life.witness().saw(log.state());
                    }
                });
        return this;
    }

    /** Looks so often for the next step. */
    SmallScope reader(int looks) {
        participants.add(
                (life, log) -> {
                    Place whole = Place.whole(log.state().dataset().grid());
                    try (StepReader reader =
                            StepReader.open(
                                    log,
                                    whole,
                                    0,
                                    ReadLimits.DEFAULT,
                                    life.allocator(),
                                    new HandExecutor())) {
                        for (int look = 0; look < looks; look++) {
                            look(life, log, reader);
                        }
                    }
                });
        return this;
    }

    private static void look(Life life, Log log, StepReader reader) {
        try {
            Optional<StepBatch> next = reader.next(Duration.ZERO);
            next.ifPresent(
                    batch -> {
                        try (batch) {
                            life.witness()
                                    .delivered(
                                            life.host().name(),
                                            batch.step(),
                                            ReaderProgram.numberOf(batch),
                                            batch.cursor().receipt(),
                                            log.state());
                        }
                    });
        } catch (UnavailableException e) {
            life.witness().saw(log.state());
        }
    }

    /** Makes all runs; fails at the first that goes wrong. */
    void exhaust() {
        try (BufferAllocator allocator = new RootAllocator()) {
            do {
                runOnce(allocator);
            } while (choices.next());
        }
    }

    private void runOnce(BufferAllocator allocator) {
        HandClock clock = new HandClock(START);
        MemoryStore truth = empty.copy();
        Turns turns = new Turns(choices, clock, MOVES_MAX);
        Onlooker onlooker = new Onlooker(truth, LAYOUT, Timekeeper.STORE);
        Witness witness = new Witness(onlooker, LAYOUT, turns::fail);
        Weather calm = Weather.calm(choices, turns);
        Host network = turns.host("network");
        FaultyStore store = new FaultyStore(onlooker, new Faults(turns), network::carry);
        int number = 0;
        for (Participant participant : participants) {
            Host host = turns.host("host " + number);
            var watched = new WatchedStore(store, LAYOUT, host.name(), witness);
            Life life =
                    new Life(
                            host,
                            clock.world(10 + number++),
                            host.at(watched),
                            NAME,
                            DATASET,
                            List.of(),
                            allocator,
                            choices,
                            witness,
                            calm);
            Log log = Log.open(life.store(), NAME, life.world(), LogLimits.DEFAULT);
            host.start(() -> participant.run(life, log));
        }
        try {
            turns.play();
            witness.check();
            runs++;
        } catch (Turns.Pruned e) {
            givenUp++;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(String.join("\n", turns.trace()), e);
        }
    }

    /** Runs that were made to their end. */
    long runs() {
        return runs;
    }

    /** Runs that were given up, since they would only have repeated another. */
    long givenUp() {
        return givenUp;
    }

    /** Every fault at every call of the log, as long as there are any left. */
    private final class Faults implements FaultPlan {
        private final Turns turns;
        private int left = faultsMax;

        Faults(Turns turns) {
            this.turns = turns;
        }

        @Override
        public Fault faultOf(Call call) {
            List<Fault> faults = faults(call.kind());
            if (left == 0 || !Turns.isPlaying() || !call.key().startsWith(LAYOUT.commits())) {
                return Fault.NONE;
            }
            Fault fault = faults.get(choices.of(faults.size()));
            left -= fault == Fault.NONE ? 0 : 1;
            turns.note(fault.name());
            return fault;
        }

        /** Damaged bytes end a run early, and always alike. */
        private static List<Fault> faults(Kind kind) {
            Stream<Fault> possible =
                    kind.faults().stream()
                            .filter(fault -> fault != Fault.TRUNCATED && fault != Fault.FLIPPED);
            return Stream.concat(Stream.of(Fault.NONE), possible).toList();
        }
    }
}
