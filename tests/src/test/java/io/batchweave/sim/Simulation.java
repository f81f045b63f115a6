package io.batchweave.sim;

import io.batchweave.log.Log;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Layout;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.Timekeeper;
import io.batchweave.testing.Choice;
import io.batchweave.testing.Host;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Turns;
import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * A world of processes around one store, all decided by one seed: first a storm, in which calls
 * fail, clocks differ and processes are killed and frozen; then a calm day, on which every producer
 * ends its work and every reader comes to the end. What was told on the way must be true.
 */
final class Simulation implements AutoCloseable {
    private static final DatasetName NAME = DatasetName.parse("sim.numbers");
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** So often that nothing more can be met than to doze off for a while. */
    private static final int DROWSY = 8;

    /** The last is as long as fifty calls. */
    private static final List<Duration> FREEZES =
            List.of(DAY, MINUTE, Duration.ofMillis(50), Duration.ofMillis(50));

    private static final long MOVES_MAX = 60_000;

    /** Producers may wait for a job that nobody trains any more; then the power fails. */
    private static final long STORM_MOVES_MAX = 3_000;

    private static final int LIVES_MAX = 3;

    private final SplittableRandom random;
    private final Choice choice;
    private final HandClock clock = new HandClock(START);
    private final Layout layout = new Layout(NAME);
    private final Onlooker truth;
    private final BufferAllocator allocator = new RootAllocator();
    private final Turns turns;
    private final Weather weather;
    private final FaultyStore store;
    private final Witness witness;
    private final List<Participant> participants = new ArrayList<>();
    private final Map<Host, Participant> running = new HashMap<>();
    private final CreateDataset dataset;
    private final List<Entry> settings = new ArrayList<>();
    private final int fatesOnceIn;
    private boolean isSwept;
    private long stormMoves;

    Simulation(long seed) {
        random = new SplittableRandom(seed);
        choice = Choice.random(random.split(), random.nextInt(4) * 0.3);
        turns = new Turns(choice, clock, MOVES_MAX);
        truth =
                new Onlooker(
                        new MemoryStore(clock.world(1)),
                        layout,
                        choice.of(2) == 0 ? Timekeeper.STORE : Timekeeper.CALLER);
        witness = new Witness(truth, layout, turns::fail);
        weather = Weather.stormy(choice, turns);
        Host network = turns.host("network");
        store = new FaultyStore(truth, weather, network::carry);
        fatesOnceIn = List.of(1_000_000, 300, 60, 20, DROWSY).get(choice.of(5));
        dataset = cast();
        if (isSwept || choice.of(2) == 0) {
            Log.create(truth, NAME, dataset, settings, clock.world(2), Life.LIMITS);
        }
        if (isSwept) {
            Prehistory.write(truth, layout, 50 + choice.of(14));
        }
    }

    /** One that is started again when it is killed, with the clock that it has. */
    private final class Participant {
        private final String name;
        private final Program program;
        private final Duration ahead = Duration.ofSeconds(choice.of(7_200) - 3_600L);
        private int lives;

        Participant(String name, Program program) {
            this.name = name;
            this.program = program;
        }

        void start() {
            lives++;
            Host host = turns.host(name + "#" + lives);
            running.put(host, this);
            var watched = new WatchedStore(store, layout, host.name(), witness);
            Life life =
                    new Life(
                            host,
                            host.world(random.split(), ahead),
                            host.at(program instanceof MeddlerProgram ? store : watched),
                            NAME,
                            dataset,
                            settings,
                            allocator,
                            choice,
                            witness,
                            weather);
            host.start(() -> program.run(life));
        }
    }

    /** Who takes part; returns the dataset that all of them want. */
    private CreateDataset cast() {
        List<String> producers = new ArrayList<>(List.of("p", "q"));
        long batches = 2L + choice.of(4);
        add("p", new ProducerProgram("p", batches));
        add("q", new ProducerProgram("q", batches));
        add("whole", new ReaderProgram("whole", "dp=0/1"));
        if (choice.of(2) == 0) {
            add("twin", new ProducerProgram("p", batches));
        }
        if (choice.of(2) == 0) {
            producers.add("m");
            add("loop", new LoopProgram("m", batches));
        }
        if (choice.of(2) == 0) {
            add("half", new ReaderProgram("half", "dp=0/2"));
        }
        if (choice.of(2) == 0) {
            add("meddler", new MeddlerProgram(4));
        }
        if (choice.of(2) == 0) {
            isSwept = true;
            add("sweeper", new SweeperProgram(2 + choice.of(4)));
        }
        if (choice.of(isSwept ? 2 : 3) == 0) {
            addJobs();
        }
        if (isSwept && choice.of(2) == 0) {
            add("trimmer", new SweeperProgram(2 + choice.of(4)));
        }
        return Numbers.dataset("dp=2", producers.toArray(String[]::new));
    }

    private void addJobs() {
        Launcher launcher = new Launcher(2);
        add("rank0", new RankProgram(0, launcher));
        add("rank1", new RankProgram(1, launcher));
        add("operator", new OperatorProgram(4));
        if (choice.of(2) == 0) {
            add("evaluator", new EvaluatorProgram(6));
        }
        if (choice.of(3) > 0) {
            settings.add(new Alter(List.of(new MaxLead(1L + choice.of(4)))));
        }
    }

    private void add(String name, Program program) {
        participants.add(new Participant(name, program));
    }

    /** Lives through the storm and the calm day, and holds all that was told against the log. */
    void run() {
        turns.beforeMoves(this::meetFate);
        participants.forEach(Participant::start);
        turns.play();

        weather.calmDown();
        turns.beforeMoves(host -> {});
        participants.stream()
                .filter(participant -> !participant.name.equals("twin"))
                .forEach(Participant::start);
        turns.play();

        if (isSwept) {
            new Quiescence(truth, layout, clock).check();
        }
        LogModel log = LogModel.of(truth);
        Violation.unless(
                log.isSealed(), () -> "every producer has finished, and the log has no end");
        witness.check();
    }

    private void meetFate(Host host) {
        Participant participant = running.get(host);
        stormMoves++;
        if (participant != null && stormMoves > STORM_MOVES_MAX) {
            turns.note("without power");
            host.kill();
            return;
        }
        if (participant == null || choice.of(fatesOnceIn) > 0) {
            return;
        }
        switch (fatesOnceIn == DROWSY ? DROWSY : choice.of(4)) {
            case DROWSY -> host.freeze(Duration.ofMillis(1L + choice.of(100)));
            case 0 -> host.freeze(FREEZES.get(choice.of(FREEZES.size())));
            case 1 -> clock.move(choice.of(2) == 0 ? MINUTE : MINUTE.multipliedBy(45));
            default -> {
                if (participant.lives < LIVES_MAX) {
                    turns.note("killed");
                    host.kill();
                    participant.start();
                }
            }
        }
    }

    /** Every move, and what came of it. */
    List<String> trace() {
        return turns.trace();
    }

    /** Fails if memory of Arrow is still in use. */
    @Override
    public void close() {
        allocator.close();
    }
}
