package io.batchweave.read;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;

/**
 * Hands fetched slices to native code in this process through the Arrow C Data Interface. The
 * buffers it gets are the fetched memory itself.
 *
 * <p>What is exported keeps that memory from being freed or used again until the consumer calls the
 * release callback, also once its step and reader are closed. A few hundred bytes for the
 * interface's structures are taken from the allocator that is given, which must be of the same root
 * as the reader's and stay open until then.
 *
 * <p>The structures may be the consumer's own: {@code ArrowArray.wrap(address)} and its like take
 * addresses.
 */
public final class NativeExport {
    private NativeExport() {}

    /**
     * Exports a slice as an array of structs, whose children are the columns: whoever has the array
     * owns it and releases it once, and releases the schema once.
     *
     * @param slice of a step that is not closed yet
     * @param array filled here
     * @param schema filled here, with field ids as metadata
     */
    public static void slice(
            SliceBatch slice, BufferAllocator allocator, ArrowArray array, ArrowSchema schema) {
        Data.exportVectorSchemaRoot(
                allocator, slice.rows(), new MapDictionaryProvider(), array, schema);
    }

    /**
     * Exports the slices of a step, in the order of the grid, as a stream of one array each:
     * whoever has the stream owns it and releases it once, and each array that was taken from it on
     * its own.
     *
     * @param step not closed yet
     * @param stream filled here
     */
    public static void stream(StepBatch step, BufferAllocator allocator, ArrowArrayStream stream) {
        Data.exportArrayStream(allocator, new SliceStream(step.slices(), allocator), stream);
    }
}
