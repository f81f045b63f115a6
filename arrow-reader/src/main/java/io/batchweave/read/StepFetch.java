package io.batchweave.read;

import io.batchweave.errors.CorruptException;
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
final class StepFetch {
    /**
     * Where Arrow wants its buffers: the file keeps the same alignment, so one shift aligns them
     * all.
     */
    private static final int ALIGNMENT_BYTES = 64;

    private final Log log;
    private final BufferAllocator allocator;
    private final SliceReader reader;

    StepFetch(Log log, PayloadSchema schema, BufferAllocator allocator) {
        this.log = log;
        this.allocator = allocator;
        this.reader = new SliceReader(schema, allocator);
    }

    /** What a run takes of the allocator, which rounds up. */
    long memoryBytes(SliceRun run) {
        return allocator.getRoundingPolicy().getRoundedSize(run.length() + ALIGNMENT_BYTES);
    }

    StepBatch fetch(StepRecord step, List<SliceRun> runs) {
        List<SliceBatch> slices = new ArrayList<>();
        List<ArrowBuf> buffers = new ArrayList<>();
        Cursor after = new Cursor(log.state().dataset().id(), step.step() + 1, step.receipt());
        try {
            for (SliceRun run : runs) {
                String key = log.layout().part(step.claim(), run.part());
                ArrowBuf bytes = fetch(key, run, buffers);
                read(key, run, bytes, slices);
            }
            return new StepBatch(after, slices, buffers);
        } catch (RuntimeException | Error e) {
            new StepBatch(after, slices, buffers).close();
            throw e;
        }
    }

    private ArrowBuf fetch(String key, SliceRun run, List<ArrowBuf> buffers) {
        ArrowBuf memory = allocator.buffer(run.length() + ALIGNMENT_BYTES);
        buffers.add(memory);
        long shift = Math.floorMod(-memory.memoryAddress(), (long) ALIGNMENT_BYTES);
        ArrowBuf aligned = memory.slice(shift, run.length());
        ByteBuffer target = aligned.nioBuffer(0, (int) run.length());
        if (log.store().readInto(key, run.offset(), target) instanceof Fetched.Absent) {
            throw new CorruptException(
                    "Cannot read "
                            + log.store().uri()
                            + "/"
                            + key
                            + ": the log names it, and it is not there; restore the object or skip"
                            + " its step");
        }
        return aligned;
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
}
