package io.batchweave.payload;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Slice;
import io.batchweave.payload.SliceParser.Extent;
import io.batchweave.payload.SliceParser.Found;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Turns the bytes of one slice back into a record batch without copying them. Thread-safe. */
public final class SliceReader {
    private final PayloadSchema schema;
    private final BufferAllocator allocator;

    /**
     * A reader of slices of this schema.
     *
     * @param allocator of the vectors; it shares its root with that of the bytes that are read
     */
    public SliceReader(PayloadSchema schema, BufferAllocator allocator) {
        this.schema = schema;
        this.allocator = allocator;
    }

    /**
     * Checks the remaining bytes of {@code bytes}, whose position stays where it is, against the
     * digest in the commit.
     *
     * @param object the key of the object they come from, for the message
     * @throws CorruptException naming object, bytes and both digests
     * @throws IllegalArgumentException if they are not as many as the slice has
     */
    public static void verify(ByteBuffer bytes, Slice slice, String object) {
        if (bytes.remaining() != slice.length()) {
            throw new IllegalArgumentException(
                    "Cannot verify a slice of %d bytes of %s by %d bytes"
                            .formatted(slice.length(), object, bytes.remaining()));
        }
        CRC32C crc32c = new CRC32C();
        crc32c.update(bytes.duplicate());
        verify((int) crc32c.getValue(), slice, object);
    }

    /**
     * Checks the digest of bytes that were read against the one in the commit.
     *
     * @throws CorruptException naming object, bytes and both digests
     */
    public static void verify(int crc32c, Slice slice, String object) {
        if (crc32c != slice.crc32c()) {
            throw new CorruptException(
                    SliceParser.text(
                            slice,
                            object,
                            "their CRC-32C is %08x, and the commit says %08x"
                                    .formatted(crc32c, slice.crc32c())));
        }
    }

    /**
     * The record batch that the first bytes of {@code bytes} are; its buffers lie in them. The
     * batch keeps {@code bytes} from being freed until it is closed; the caller's own reference
     * stays the caller's to release, at any time.
     *
     * <p>The one thing that is allocated is what Arrow in Java insists on and the file leaves out:
     * one bit for every value of the longest column without nulls.
     *
     * <p>Digests are not looked at here; use {@link #verify}. Whatever the bytes are, nothing
     * outside of them is read, now or through the batch.
     *
     * @param object the key of the object they come from, for the message
     * @throws CorruptException naming object, bytes and what is wrong, if they are no record batch
     *     of the schema
     * @throws IllegalArgumentException if they are fewer than the slice has, or of an allocator
     *     with another root
     * @throws org.apache.arrow.memory.OutOfMemoryException if the allocator's limit is reached
     */
    public VectorSchemaRoot read(ArrowBuf bytes, Slice slice, String object) {
        if (bytes.capacity() < slice.length()) {
            throw new IllegalArgumentException(
                    "Cannot read a slice of %d bytes of %s from %d bytes"
                            .formatted(slice.length(), object, bytes.capacity()));
        }
        ByteBuffer view = bytes.nioBuffer(0, (int) slice.length());
        Found found = SliceParser.parse(schema.columns(), view, slice, object);
        VectorSchemaRoot root = VectorSchemaRoot.create(schema.arrow(), allocator);
        try {
            load(root, found, bytes);
            return root;
        } catch (RuntimeException e) {
            root.close();
            throw e;
        }
    }

    private void load(VectorSchemaRoot root, Found found, ArrowBuf bytes) {
        int rows = found.nodes().get(0).getLength();
        try (ArrowBuf ones = ones(found.widest());
                ArrowRecordBatch batch =
                        new ArrowRecordBatch(rows, found.nodes(), buffers(found, bytes, ones))) {
            new VectorLoader(root).load(batch);
        }
    }

    /** Stands in for the validity of every column without nulls. */
    private ArrowBuf ones(int bits) {
        ArrowBuf ones = allocator.buffer(Bits.bytes(bits));
        ones.setOne(0L, Bits.bytes(bits));
        return ones;
    }

    private static List<ArrowBuf> buffers(Found found, ArrowBuf bytes, ArrowBuf ones) {
        List<ArrowBuf> buffers = new ArrayList<>();
        for (Extent extent : found.extents()) {
            boolean isThere = !extent.equals(SliceParser.ALL_PRESENT);
            buffers.add(isThere ? bytes.slice(extent.offset(), extent.length()) : ones);
        }
        return buffers;
    }
}
