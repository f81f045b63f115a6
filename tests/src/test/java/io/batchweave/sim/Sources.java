package io.batchweave.sim;

import io.batchweave.produce.BatchWriter;
import io.batchweave.testing.Numbers;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What producers publish: the source of each is the row of all numbers, and a batch tells whose it
 * is and which.
 */
final class Sources {
    private static final long PER_PRODUCER = 1_000_000;

    private Sources() {}

    /** What the n-th batch of a producer holds. */
    static long number(String producer, long n) {
        return producer.charAt(0) * PER_PRODUCER + n;
    }

    /** Writes so many slices of a batch. */
    static void write(
            BatchWriter batch, BufferAllocator allocator, String producer, long n, int slices) {
        for (int slice = 0; slice < slices; slice++) {
            try (VectorSchemaRoot rows = Numbers.slice(allocator, number(producer, n), slice)) {
                batch.write(rows);
            }
        }
    }
}
