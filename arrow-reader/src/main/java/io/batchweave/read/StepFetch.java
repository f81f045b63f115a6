package io.batchweave.read;

import io.batchweave.log.Log;
import io.batchweave.model.Slice;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.SliceReader;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fetched;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Fetches one rank's slices of a step: one request for each run of adjacent slices, and no copy
 * after it.
 */
final class StepFetch implements StepTarget<StepBatch> {
    private final Log log;
    private final StepMemory memory;
    private final SliceReader reader;
    private final FetchLimits limits;

    StepFetch(
            Log log,
            PayloadSchema schema,
            BufferAllocator allocator,
            StepMemory memory,
            FetchLimits limits) {
        this.limits = limits;
        this.log = log;
        this.memory = memory;
        this.reader = new SliceReader(schema, allocator);
    }

    @Override
    public FetchLimits limits() {
        return limits;
    }

    @Override
    public long bytes(List<SliceRun> runs) {
        return StepMemory.blockBytes(runs.stream().mapToLong(SliceRun::paddedBytes).sum());
    }

    @Override
    public StepBatch fetch(StepRecord step, List<SliceRun> runs, Cursor after) {
        List<SliceBatch> slices = new ArrayList<>();
        ArrowBuf block = memory.take(bytes(runs));
        try {
            long start = 0;
            for (SliceRun run : runs) {
                String key = log.layout().part(step.claim(), run.part());
                ArrowBuf bytes = block.slice(start, run.length());
                fetch(key, run, bytes);
                read(key, run, bytes, slices);
                start += run.paddedBytes();
            }
            return new StepBatch(after, slices, block);
        } catch (RuntimeException | Error e) {
            new StepBatch(after, slices, block).close();
            throw e;
        }
    }

    private void fetch(String key, SliceRun run, ArrowBuf bytes) {
        ByteBuffer target = bytes.nioBuffer(0, (int) run.length());
        if (log.store().readInto(key, run.offset(), target) instanceof Fetched.Absent) {
            throw new MissingPayload(log.store().nameOf(key));
        }
    }

    private void read(String key, SliceRun run, ArrowBuf bytes, List<SliceBatch> slices) {
        String object = log.store().nameOf(key);
        int index = run.firstIndex();
        for (Slice slice : run.slices()) {
            long start = slice.offset() - run.offset();
            SliceReader.verify(bytes.nioBuffer(start, (int) slice.length()), slice, object);
            slices.add(
                    new SliceBatch(
                            index++,
                            slice,
                            reader.read(bytes.slice(start, slice.length()), slice, object)));
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
