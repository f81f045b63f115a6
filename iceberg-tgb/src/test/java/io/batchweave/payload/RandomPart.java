package io.batchweave.payload;

import io.batchweave.model.Bytes;
import io.batchweave.model.Slice;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A part of any schema and content, as an object in a store.
 *
 * @param about seed, rows and schema, for messages
 * @param file its bytes
 * @param slices where they lie in it
 * @param digests the logical digest of each slice
 */
public record RandomPart(
        String about, PayloadSchema schema, Bytes file, List<Slice> slices, List<Bytes> digests) {

    /** A part of three slices: some rows, none, and the same rows again. */
    public static RandomPart of(long seed) {
        RandomSlice slice = new RandomSlice(seed);
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot rows = Vectors.withJunk(slice, allocator);
                VectorSchemaRoot none =
                        Vectors.of(slice.schema(), allocator, Collections.emptyList())) {
            Written part = Written.of(slice.schema(), rows, none, rows);
            Bytes some = LogicalDigest.of(slice.schema(), rows);
            Bytes empty = LogicalDigest.of(slice.schema(), none);
            return new RandomPart(
                    slice.toString(),
                    slice.schema(),
                    Bytes.copyOf(part.body()),
                    part.part().slices(),
                    List.of(some, empty, some));
        }
    }
}
