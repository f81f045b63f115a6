package io.batchweave.longlife;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Layout;
import io.batchweave.state.ProducerState;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A dataset of many steps, published through the log as producers do, but for their payload: of
 * that a few objects lie in each folder. Each epoch leaves a batch that it has not committed.
 */
final class Synthesis {
    private static final List<String> PRODUCERS = List.of("p", "q", "r", "s");

    /** Each producer is opened so often. */
    private static final int EPOCHS = 3;

    private final ObjectStore store;
    private final Layout layout;
    private final Log log;

    private Synthesis(ObjectStore store, DatasetName name, World world) {
        this.store = store;
        this.layout = new Layout(name);
        this.log = Log.create(store, name, Numbers.dataset("dp=2"), world, LogLimits.DEFAULT);
    }

    /** Makes a dataset of so many steps. */
    static void make(ObjectStore store, DatasetName name, World world, long steps) {
        Synthesis made = new Synthesis(store, name, world);
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
            PRODUCERS.forEach(made::open);
            made.publishTo(steps * epoch / EPOCHS);
            PRODUCERS.forEach(made::leaveABatch);
        }
    }

    private void open(String name) {
        log.append(List.of(new OpenProducer(name, log.world().newId())));
    }

    private void leaveABatch(String name) {
        ProducerState producer = log.state().producer(name).orElseThrow();
        upload(new Claim(name, producer.epoch(), producer.nextSequence()));
    }

    private void upload(Claim claim) {
        store.create(layout.part(claim, 0), ByteBuffer.allocate(1));
    }

    /** The producers take turns, each with as much as a commit holds. */
    private void publishTo(long steps) {
        for (int turn = 0; log.state().nextStep() < steps; turn++) {
            long left = steps - log.state().nextStep();
            publish(
                    PRODUCERS.get(turn % PRODUCERS.size()),
                    (int) Math.min(Commit.ENTRIES_MAX, left));
            log.saveIfDue();
        }
    }

    private void publish(String name, int batches) {
        ProducerState producer = log.state().producer(name).orElseThrow();
        List<Entry> entries = new ArrayList<>();
        for (int batch = 0; batch < batches; batch++) {
            long sequence = producer.nextSequence() + batch;
            Claim claim = new Claim(name, producer.epoch(), sequence);
            entries.add(Entries.publish(claim));
            if (batch == 0 || sequence % Layout.FOLDER_ENTRIES == 0) {
                upload(claim);
            }
        }
        log.append(entries);
    }
}
