package io.batchweave.cli.verify;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.payload.SliceReader;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads one part from its first byte to its last: the digest of the whole, and every slice as a
 * reader would.
 */
final class PartCheck {
    private static final int CHUNK_BYTES = 1 << 20;

    private final ObjectStore store;
    private final SliceReader reader;
    private final BufferAllocator allocator;

    PartCheck(ObjectStore store, SliceReader reader, BufferAllocator allocator) {
        this.store = store;
        this.reader = reader;
        this.allocator = allocator;
    }

    /**
     * Whether there is an object for a part; it does not go on behind the part's end.
     *
     * @throws CorruptException if it does
     */
    boolean isThere(String key, Part part) {
        try {
            if (store.readInto(key, part.length(), ByteBuffer.allocate(1))
                    instanceof Fetched.Absent) {
                return false;
            }
        } catch (CorruptException e) {
            // It ends where it should, or before: then it cannot be read to its end.
            return true;
        }
        throw new CorruptException(
                "Cannot accept " + name(key) + ": it goes on behind " + part.length() + " bytes");
    }

    /**
     * Checks one part.
     *
     * @throws CorruptException if any byte is not what was published
     */
    void check(String key, Part part) {
        MessageDigest sha256 = Bytes.sha256();
        long position = 0;
        for (Slice slice : part.slices()) {
            digest(key, position, slice.offset(), sha256);
            checkSlice(key, slice, sha256);
            position = slice.offset() + slice.length();
        }
        digest(key, position, part.length(), sha256);
        Bytes actual = Bytes.digestOf(sha256);
        if (!actual.equals(part.digest())) {
            throw new CorruptException(
                    "Cannot accept "
                            + name(key)
                            + ": its SHA-256 is "
                            + actual
                            + ", the log says "
                            + part.digest());
        }
    }

    private void checkSlice(String key, Slice slice, MessageDigest sha256) {
        try (ArrowBuf bytes = allocator.buffer(slice.length())) {
            ByteBuffer target = bytes.nioBuffer(0, (int) slice.length());
            fill(key, slice.offset(), target.duplicate());
            sha256.update(target.duplicate());
            SliceReader.verify(target, slice, name(key));
            reader.read(bytes, slice, name(key)).close();
        }
    }

    private void digest(String key, long from, long to, MessageDigest sha256) {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (long position = from; position < to; position += chunk.limit()) {
            chunk.clear().limit((int) Math.min(CHUNK_BYTES, to - position));
            fill(key, position, chunk.duplicate());
            sha256.update(chunk.duplicate());
        }
    }

    private void fill(String key, long offset, ByteBuffer target) {
        if (store.readInto(key, offset, target) instanceof Fetched.Absent) {
            throw new CorruptException("Cannot find " + name(key) + ": the log names this payload");
        }
    }

    private String name(String key) {
        return store.nameOf(key);
    }
}
