package io.batchweave.read;

import io.batchweave.model.Slice;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One slice as a record batch.
 *
 * @param index its number in the grid
 * @param slice where it lies
 * @param rows the record batch; its buffers are the fetched memory, and it lives as long as its
 *     {@link StepBatch}
 */
public record SliceBatch(int index, Slice slice, VectorSchemaRoot rows) {}
