package io.batchweave.longlife;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Sweep;
import io.batchweave.retain.Swept;
import io.batchweave.state.Saving;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Requests;
import io.batchweave.store.local.LocalStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Makes datasets of few and of many steps, and prints what is asked of the store for what. */
final class MillionSteps {
    private static final long SWEPT = 1_000;
    private static final int LOOK_UPS = 50;
    private static final int PUBLISHES = 20;

    private final World world = World.real();
    private final CountingStore store;
    private final DatasetName name;
    private final String prefix;

    private MillionSteps(Path warehouse, String dataset, long steps) {
        this.store = new CountingStore(new LocalStore(warehouse, world));
        this.name = DatasetName.parse("t." + dataset);
        this.prefix = dataset + ".";
        Synthesis.make(store, name, world, steps);
    }

    /** Takes a folder and two numbers of steps. */
    public static void main(String[] arguments) {
        Path warehouse = Path.of(arguments[0]);
        new MillionSteps(warehouse, "none", 0).publish();
        MillionSteps few = new MillionSteps(warehouse, "few", Long.parseLong(arguments[1]));
        few.sweep();
        MillionSteps many = new MillionSteps(warehouse, "many", Long.parseLong(arguments[2]));
        many.open("open");
        many.lookUp();
        many.sweep();
        many.publish();
        many.crash();
        many.open("crashed");
    }

    private Log log() {
        return Log.open(store, name, world, LogLimits.DEFAULT);
    }

    private void print(String figure, long value) {
        System.out.println(prefix + figure + " " + value);
    }

    private Requests cost(Runnable work) {
        Requests before = store.requests();
        work.run();
        return store.requests().minus(before);
    }

    private void open(String figure) {
        Requests opening = cost(this::log);
        print(figure + ".requests", opening.total());
        print(figure + ".bytes", opening.bytesDown());
        print(figure + ".commits_behind", opening.reads() - 2);
    }

    private void lookUp() {
        Log log = log();
        SplittableRandom random = new SplittableRandom(1);
        long requests = 0;
        long bytes = 0;
        for (int i = 0; i < LOOK_UPS; i++) {
            long step = random.nextLong(log.state().steps().firstRecent());
            Requests look = cost(() -> log.step(step));
            requests = Math.max(requests, look.total());
            bytes = Math.max(bytes, look.bytesDown());
        }
        print("look_up.requests", requests);
        print("look_up.bytes", bytes);
    }

    /** The job has seen the first steps, whose payload can go. */
    private void sweep() {
        Log log = log();
        Job job = new Jobs(log).attach("j", 0, 1);
        job.checkpoint(new Saved("", "c", SWEPT, job.given(SWEPT), Saved.Direction.FORWARD));
        List<Swept> swept = new ArrayList<>();
        Sweep sweep = new Sweep(log(), objects -> {});
        Requests requests = cost(() -> swept.add(sweep.run()));
        print("sweep.steps", swept.get(0).steps());
        print("sweep.left", swept.get(0).left().objects());
        print("sweep.requests", requests.total());
        print("sweep.creates", requests.creates());
        print("sweep.reads", requests.reads());
        print("sweep.lists", requests.lists());
        print("sweep.deletes", requests.deletes());
    }

    /** What a batch costs, and what is added where its commit makes a State due. */
    private void publish() {
        Log log = log();
        try (Producer producer = Producer.open(log, "t", ProducerLimits.DEFAULT, Runnable::run);
                BufferAllocator allocator = new RootAllocator()) {
            Map<Boolean, List<Requests>> costs = new HashMap<>();
            for (int number = 0; number < PUBLISHES; number++) {
                int batch = number;
                Requests cost = cost(() -> publish(producer, batch, allocator));
                costs.computeIfAbsent(log.state().isDue(), due -> new ArrayList<>()).add(cost);
            }
            print("publish", costs.get(false));
            print("save", costs.get(true));
        }
    }

    private void print(String figure, List<Requests> costs) {
        print(figure + ".requests", most(costs, Requests::total));
        print(figure + ".bytes", most(costs, cost -> cost.bytesUp() + cost.bytesDown()));
    }

    private static long most(List<Requests> costs, ToLongFunction<Requests> figure) {
        return costs.stream().mapToLong(figure).max().orElseThrow();
    }

    private static void publish(Producer producer, int number, BufferAllocator allocator) {
        try (BatchWriter batch = producer.newBatch()) {
            for (int index = 0; index < producer.grid().slices(); index++) {
                try (VectorSchemaRoot slice = Numbers.slice(allocator, number, index)) {
                    batch.write(slice);
                }
            }
            batch.publish(Numbers.progress(number), List.of()).join();
        }
    }

    /** Who is to save a State is killed before, and so is nobody after it. */
    private void crash() {
        Log log = log();
        long due = log.state().saving().due();
        while (log.state().version() < due + 2 * Saving.COMMITS_MAX - 1) {
            log.append(List.of(new OpenProducer("t", world.newId())));
        }
    }
}
