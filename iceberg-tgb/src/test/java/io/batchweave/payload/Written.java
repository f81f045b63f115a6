package io.batchweave.payload;

import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A part as it was written: what the commit would say of it, and its bytes. */
final class Written {
    /** The key of every part in these tests. */
    static final String OBJECT = "train/tokens/data/p/0/0/0.arrow";

    private final Part part;
    private final byte[] body;

    private Written(Part part, byte[] body) {
        this.part = part;
        this.body = body;
    }

    static Written of(PayloadSchema schema, VectorSchemaRoot... slices) {
        MemoryUpload upload = new MemoryUpload();
        PartWriter writer = new PartWriter(upload, schema);
        for (VectorSchemaRoot slice : slices) {
            writer.write(slice);
        }
        return new Written(writer.finish(), upload.body());
    }

    Part part() {
        return part;
    }

    byte[] body() {
        return body;
    }

    Slice slice(int index) {
        return part.slices().get(index);
    }

    byte[] bytes(Slice slice) {
        int from = (int) slice.offset();
        return Arrays.copyOfRange(body, from, from + (int) slice.length());
    }

    /** Bytes at an address that is a multiple of 64, as a ranged read would put them. */
    static ArrowBuf aligned(BufferAllocator allocator, byte[] bytes) {
        ArrowBuf buffer = allocator.buffer(bytes.length + 63L);
        ArrowBuf aligned = buffer.slice(-buffer.memoryAddress() & 63, bytes.length);
        aligned.setBytes(0, bytes);
        return aligned;
    }
}
