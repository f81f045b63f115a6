package io.batchweave.fuzz;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Slice;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.RandomPart;
import io.batchweave.payload.SliceReader;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Any bytes as a slice of one of some schemas: the first byte chooses the schema, the second how
 * many rows the commit speaks of, and the rest is the slice.
 */
public final class SliceTarget {
    /** Of the parts with these seeds, and of the last one that of tokens. */
    static final List<PayloadSchema> SCHEMAS =
            LongStream.range(0, 24).mapToObj(seed -> RandomPart.of(seed).schema()).toList();

    private static final int HEAD_BYTES = 2;
    private static final int ALIGNMENT_BYTES = 64;

    /** Far below what a wrong number could ask for, and above what an input has bytes for. */
    private static final long MEMORY_BYTES_MAX = 1 << 22;

    private SliceTarget() {}

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length <= HEAD_BYTES) {
            return;
        }
        PayloadSchema schema = SCHEMAS.get(Byte.toUnsignedInt(data[0]) % SCHEMAS.size());
        int length = data.length - HEAD_BYTES;
        Slice slice = new Slice(0, length, Byte.toUnsignedInt(data[1]), 0);
        try (BufferAllocator allocator = new RootAllocator(MEMORY_BYTES_MAX);
                ArrowBuf memory = allocator.buffer(length + (long) ALIGNMENT_BYTES)) {
            long shift = Math.floorMod(-memory.memoryAddress(), (long) ALIGNMENT_BYTES);
            ArrowBuf bytes = memory.slice(shift, length);
            bytes.setBytes(0, data, HEAD_BYTES, length);
            read(new SliceReader(schema, allocator), schema, bytes, slice);
        }
    }

    private static void read(
            SliceReader reader, PayloadSchema schema, ArrowBuf bytes, Slice slice) {
        try (VectorSchemaRoot rows = reader.read(bytes, slice, "the input")) {
            LogicalDigest.of(schema, rows);
            for (FieldVector column : rows.getFieldVectors()) {
                for (int row = 0; row < rows.getRowCount(); row++) {
                    column.getObject(row);
                }
            }
        } catch (CorruptException e) {
            Told.inOneLine(e);
        }
    }
}
