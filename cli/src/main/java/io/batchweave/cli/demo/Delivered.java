package io.batchweave.cli.demo;

import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.store.CountingStore;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/**
 * What a finished dataset delivers to all ranks of one world size, read once from its first step to
 * its last.
 */
final class Delivered implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Log log;
    private final PayloadSchema schema;
    private final BufferAllocator allocator = new RootAllocator();
    private final ExecutorService fetchers = Executors.newFixedThreadPool(2);

    private final Map<Long, Map<Integer, String>> digests = new TreeMap<>();
    private final Map<String, TokenDigest> tokens = new TreeMap<>();
    private long bytesNeeded;
    private long bytesFetched;

    Delivered(Log log) {
        this.log = log;
        this.schema = PayloadSchema.parse(log.state().dataset().schema());
    }

    /** Reads it all, rank beside rank. */
    void read(CountingStore store, String axis, int world) {
        long before = store.requests().bytesDown();
        List<StepReader> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < world; rank++) {
                Place place =
                        Place.parse(axis + "=" + rank + "/" + world, log.state().dataset().grid());
                ranks.add(StepReader.open(log, place, 0, ReadLimits.DEFAULT, allocator, fetchers));
            }
            for (long step = 0; step < log.state().nextStep(); step++) {
                readStep(step, ranks);
            }
        } finally {
            ranks.forEach(StepReader::close);
        }
        bytesFetched = store.requests().bytesDown() - before;
    }

    private void readStep(long step, List<StepReader> ranks) {
        String producer = log.step(step).claim().producer();
        TokenDigest digest = tokens.computeIfAbsent(producer, name -> new TokenDigest());
        for (StepReader rank : ranks) {
            Optional<StepBatch> next = rank.next(WAIT);
            try (StepBatch batch = next.orElseThrow()) {
                for (SliceBatch slice : batch.slices()) {
                    digests.computeIfAbsent(step, s -> new TreeMap<>())
                            .put(slice.index(), LogicalDigest.of(schema, slice.rows()).toHex());
                    bytesNeeded += slice.slice().length();
                    addTokens(slice.rows(), digest);
                }
            }
        }
    }

    private static void addTokens(VectorSchemaRoot rows, TokenDigest digest) {
        ListVector lists = (ListVector) rows.getVector("tokens");
        IntVector valid = (IntVector) rows.getVector("valid");
        ArrowBuf elements = lists.getDataVector().getDataBuffer();
        IntBuffer all =
                elements.nioBuffer(0, lists.getDataVector().getValueCount() * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asIntBuffer();
        for (int row = 0; row < rows.getRowCount(); row++) {
            digest.add(all.duplicate().position(lists.getElementStartIndex(row)), valid.get(row));
        }
    }

    /** By step, then by slice. */
    Map<Long, Map<Integer, String>> digests() {
        return digests;
    }

    /** Whether this producer's tokens came out as they went in: all of them, once, in order. */
    boolean matches(InputText input) {
        TokenDigest delivered = tokens.getOrDefault(input.producer(), new TokenDigest());
        Bytes digest = delivered.end();
        return delivered.tokens() == input.tokens() && digest.equals(input.digest());
    }

    long bytesNeeded() {
        return bytesNeeded;
    }

    long bytesFetched() {
        return bytesFetched;
    }

    @Override
    public void close() {
        fetchers.shutdown();
        allocator.close();
    }
}
