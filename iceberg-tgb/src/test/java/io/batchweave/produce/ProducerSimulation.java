package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.log.Log;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Producers that come, work, stall and die, all decided by one seed.
 *
 * <p>The source of a producer is the row of all numbers: an incarnation goes on at the number that
 * its progress names. Whatever happens, the steps of a producer must then hold 0, 1, 2, ... A step
 * of one incarnation may happen in the middle of a request of another, so that commits overlap as
 * they do in processes of their own.
 */
final class ProducerSimulation implements AutoCloseable {
    private static final List<String> NAMES = List.of("p", "q");
    private static final int DEPTH_MAX = 2;

    private final SplittableRandom random;
    private final Scene scene;
    private final List<Incarnation> alive = new ArrayList<>();
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private int eventsLeft;
    private int depth;

    private record Acknowledged(String name, long number, long step) {}

    ProducerSimulation(long seed) {
        random = new SplittableRandom(seed);
        scene = new Scene(new Weather(random.split()), "dp=2");
        scene.watch(call -> interleave());
    }

    void run(int events) {
        eventsLeft = events;
        while (eventsLeft > 0) {
            happen();
        }
        scene.watch(call -> {});
        scene.applyLate();
    }

    private void interleave() {
        if (depth < DEPTH_MAX && eventsLeft > 0 && random.nextInt(8) == 0) {
            depth++;
            happen();
            depth--;
        }
    }

    private void happen() {
        eventsLeft--;
        List<Incarnation> idle = alive.stream().filter(one -> !one.busy).toList();
        if (idle.isEmpty() || random.nextInt(12) == 0) {
            start(NAMES.get(random.nextInt(NAMES.size())));
            return;
        }
        Incarnation one = idle.get(random.nextInt(idle.size()));
        one.busy = true;
        try {
            one.act();
        } catch (BatchWeaveException e) {
            // It dies of it, as a process would.
            alive.remove(one);
        } finally {
            one.busy = false;
        }
    }

    private void start(String name) {
        try {
            Log log = scene.log();
            HandExecutor executor = new HandExecutor();
            ProducerLimits limits = new ProducerLimits(4, random.nextBoolean() ? 1 : 1 << 20);
            alive.add(new Incarnation(name, Producer.open(log, name, limits, executor), executor));
        } catch (BatchWeaveException e) {
            // The next one tries again.
        }
    }

    /** Every batch that was acknowledged is the step it was said to be, and nothing is amiss. */
    void assertHistory() {
        State state = scene.truth();
        for (String name : NAMES) {
            List<StepRecord> steps =
                    state.steps().recent().stream()
                            .filter(s -> s.claim().producer().equals(name))
                            .toList();
            for (int number = 0; number < steps.size(); number++) {
                scene.assertHolds(steps.get(number), number);
            }
            assertThat(steps)
                    .extracting(step -> step.claim().sequence())
                    .isSorted()
                    .doesNotHaveDuplicates();
            long progress =
                    state.producer(name)
                            .map(ProducerState::progress)
                            .map(Numbers::nextBatch)
                            .orElse(0L);
            assertThat(progress).as("progress of %s", name).isEqualTo(steps.size());
        }
        for (Acknowledged batch : acknowledged) {
            StepRecord step = state.step(batch.step);
            assertThat(step.claim().producer()).isEqualTo(batch.name);
            scene.assertHolds(step, batch.number);
        }
        assertThat(acknowledged).extracting(Acknowledged::step).doesNotHaveDuplicates();
    }

    /** However it ended, a new incarnation on a store that is well again goes on. */
    void assertEveryProducerCanGoOn() {
        for (String name : NAMES) {
            Producer producer =
                    Producer.open(
                            scene.log(scene.memory()), name, ProducerLimits.DEFAULT, Runnable::run);
            scene.publish(producer, Numbers.nextBatch(producer.progress()));
        }
        assertHistory();
    }

    @Override
    public void close() {
        scene.close();
    }

    /**
     * Each kind of call has its own chance to fail, so that every mixture comes up. A read after a
     * create that came out badly often fails too: then it stays unknown what became of it.
     */
    private static final class Weather implements FaultPlan {
        private final SplittableRandom random;
        private final Map<Kind, FaultPlan> plans = new EnumMap<>(Kind.class);
        private final FaultPlan stormy;
        private boolean inDoubt;

        Weather(SplittableRandom random) {
            this.random = random;
            this.stormy = FaultPlan.random(random.split(), 0.5);
            for (Kind kind : Kind.values()) {
                double rate = List.of(0.0, 0.02, 0.1, 0.3).get(random.nextInt(4));
                plans.put(
                        kind,
                        FaultPlan.random(random.split(), kind == Kind.READ ? rate / 5 : rate));
            }
        }

        @Override
        public Fault faultOf(Call call) {
            boolean isDoubtful = inDoubt && call.kind() == Kind.READ;
            Fault fault = (isDoubtful ? stormy : plans.get(call.kind())).faultOf(call);
            inDoubt = call.kind() == Kind.CREATE && fault != Fault.NONE;
            return fault;
        }

        @Override
        public boolean late(Call call) {
            return random.nextInt(10) == 0;
        }
    }

    private final class Incarnation {
        private final String name;
        private final Producer producer;
        private final HandExecutor executor;
        private long number;
        private boolean busy;

        Incarnation(String name, Producer producer, HandExecutor executor) {
            this.name = name;
            this.producer = producer;
            this.executor = executor;
            this.number = Numbers.nextBatch(producer.progress());
        }

        void act() {
            switch (random.nextInt(16)) {
                case 0 -> alive.remove(this);
                case 1 -> abandon();
                case 2, 3 -> producer.flush();
                case 4 -> finish();
                case 5, 6, 7, 8 -> executor.runAll();
                default -> publish();
            }
        }

        private void abandon() {
            try (BatchWriter batch = producer.newBatch()) {
                scene.write(batch, 1_000_000, random.nextInt(3));
            }
        }

        private void finish() {
            producer.finish(Numbers.progress(number));
            alive.remove(this);
        }

        private void publish() {
            long published = number++;
            CompletableFuture<Long> step = scene.submit(producer, published);
            var unused =
                    step.thenAccept(s -> acknowledged.add(new Acknowledged(name, published, s)));
        }
    }
}
