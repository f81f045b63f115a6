package io.batchweave.testing;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The smallest payload that tells what it is: batches are numbered, and every row of a slice holds
 * the number of its batch and its own index.
 */
public final class Numbers {
    public static final PayloadSchema SCHEMA =
            PayloadSchema.of(
                    new Schema(
                            NestedField.required(1, "batch", Types.LongType.get()),
                            NestedField.required(2, "slice", Types.LongType.get())));

    private Numbers() {}

    /** The dataset with this grid, such as {@code dp=4}. */
    public static CreateDataset dataset(String grid, String... producers) {
        return new CreateDataset(
                new UUID(0, 7).toString(),
                SCHEMA.json(),
                SliceGrid.parse(grid).axes(),
                List.of(producers),
                List.of());
    }

    /** Rows of a slice; neighbours differ in length. */
    public static int rows(int slice) {
        return (slice + 1) % 3 * 20;
    }

    /** One slice of a batch; the third and every third after it has none. */
    public static VectorSchemaRoot slice(BufferAllocator allocator, long batch, int slice) {
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA.arrow(), allocator);
        for (int row = 0; row < rows(slice); row++) {
            ((BigIntVector) root.getVector("batch")).setSafe(row, batch);
            ((BigIntVector) root.getVector("slice")).setSafe(row, slice);
        }
        root.setRowCount(rows(slice));
        return root;
    }

    /** Whether this is that slice of that batch, and nothing else. */
    public static boolean areThoseOf(VectorSchemaRoot root, long batch, int slice) {
        BigIntVector batches = (BigIntVector) root.getVector("batch");
        BigIntVector slices = (BigIntVector) root.getVector("slice");
        return root.getRowCount() == rows(slice)
                && IntStream.range(0, root.getRowCount())
                        .allMatch(row -> batches.get(row) == batch && slices.get(row) == slice);
    }

    /** Progress that names the number of the next batch. */
    public static Bytes progress(long nextBatch) {
        return Bytes.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(nextBatch).array());
    }

    /** The number of the next batch; 0 without progress. */
    public static long nextBatch(Bytes progress) {
        return progress.length() == 0 ? 0 : progress.asBuffer().getLong();
    }
}
