package io.batchweave.e2e;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.DatasetName;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/** Publishes one batch whose slices are as large as a producer is likely to have. */
final class LargeBatchMain {
    static final long SLICE_BYTES = 512L << 20;
    private static final int SEQ_LEN = 8_192;
    private static final int ROWS = (int) (SLICE_BYTES / Integer.BYTES / SEQ_LEN);

    private LargeBatchMain() {}

    /** Takes the file to tell the memory in, the warehouse, and the dataset. */
    public static void main(String[] arguments) {
        Memory.tellAtExit(Path.of(arguments[0]));
        World world = World.real();
        ExecutorService committer = Executors.newSingleThreadExecutor();
        try (ObjectStore store = Stores.open(arguments[1], world);
                BufferAllocator allocator = new RootAllocator()) {
            DatasetName dataset = DatasetName.parse(arguments[2]);
            Log log = Log.open(store, dataset, world, LogLimits.DEFAULT);
            publish(log, committer, allocator);
        } finally {
            committer.shutdown();
        }
    }

    private static void publish(Log log, ExecutorService committer, BufferAllocator allocator) {
        try (Producer producer = Producer.open(log, "p0", ProducerLimits.DEFAULT, committer);
                VectorSchemaRoot slice =
                        VectorSchemaRoot.create(producer.schema().arrow(), allocator);
                BatchWriter batch = producer.newBatch()) {
            fill(slice);
            for (int written = 0; written < producer.grid().slices(); written++) {
                batch.write(slice);
            }
            batch.publish(Bytes.EMPTY, List.of()).join();
            producer.finish(Bytes.EMPTY);
        }
    }

    private static void fill(VectorSchemaRoot slice) {
        fillLists((ListVector) slice.getVector("tokens"), SEQ_LEN);
        fillLists((ListVector) slice.getVector("doc_starts"), 1);
        fillInts((IntVector) slice.getVector("valid"), ROWS);
        slice.setRowCount(ROWS);
    }

    private static void fillLists(ListVector lists, int length) {
        lists.setInitialCapacity(ROWS);
        lists.allocateNew();
        fillInts((IntVector) lists.getDataVector(), ROWS * length);
        for (int row = 0; row <= ROWS; row++) {
            lists.getOffsetBuffer().setInt((long) row * Integer.BYTES, row * length);
        }
        setAllPresent(lists, ROWS);
        lists.setLastSet(ROWS - 1);
        lists.setValueCount(ROWS);
    }

    private static void fillInts(IntVector vector, int count) {
        vector.allocateNew(count);
        for (int i = 0; i < count; i++) {
            vector.getDataBuffer().setInt((long) i * Integer.BYTES, i % 100_000);
        }
        setAllPresent(vector, count);
        vector.setValueCount(count);
    }

    private static void setAllPresent(FieldVector vector, int count) {
        vector.getValidityBuffer()
                .setOne(0L, BitVectorHelper.getValidityBufferSizeFromCount(count));
    }
}
