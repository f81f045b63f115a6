package io.batchweave.bench.commits;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.ProducerState;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.List;
import java.util.stream.LongStream;

/** A producer's commits of batches of eight slices, each of them an append to the log. */
final class BatchWeave implements Peer {
    private static final int SLICES = 8;
    private static final int SLICE_BYTES = 1 << 20;

    private final World world = World.real();

    @Override
    public String name() {
        return "BatchWeave";
    }

    @Override
    public void create(ObjectStore store, String table) {
        Log.create(
                store,
                nameOf(table),
                new CreateDataset(
                        world.newId(),
                        PayloadSchema.tokens().json(),
                        SliceGrid.parse("dp=" + SLICES).axes(),
                        List.of(),
                        List.of()),
                world,
                LogLimits.DEFAULT);
    }

    @Override
    public Writer writer(ObjectStore store, String table, int number) {
        Log log = Log.open(store, nameOf(table), world, LogLimits.DEFAULT);
        String producer = "p" + number;
        log.append(List.of(new OpenProducer(producer, world.newId())));
        ProducerState opened = log.state().producer(producer).orElseThrow();
        long[] sequence = {opened.nextSequence()};
        // A producer has made it while its payload was uploaded.
        GlobalBatch batch = batch();
        return () -> {
            Claim claim = new Claim(producer, opened.epoch(), sequence[0]++);
            log.append(List.of(new Publish(claim, Bytes.copyOf(new byte[100]), batch)));
        };
    }

    private static DatasetName nameOf(String table) {
        return DatasetName.parse("bench." + table);
    }

    private static GlobalBatch batch() {
        List<Slice> slices =
                LongStream.range(0, SLICES)
                        .mapToObj(i -> new Slice(i * SLICE_BYTES, SLICE_BYTES, 64, (int) i))
                        .toList();
        Part part = new Part((long) SLICES * SLICE_BYTES, Bytes.digestOf(Bytes.sha256()), slices);
        return new GlobalBatch(0, List.of(part), List.of(new Count("tokens", 131_072)));
    }
}
