package io.batchweave.catalog.files;

import io.batchweave.errors.CorruptException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.PositionOutputStream;

/** Writes an object, which is there when this is closed, whole. */
final class StoredUpload extends PositionOutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ObjectStore store;
    private final String key;
    private final String location;
    private final Upload upload;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C digest = new CRC32C();

    private long position;
    private boolean broken;
    private boolean closed;

    StoredUpload(ObjectStore store, String key, String location) {
        this.store = store;
        this.key = key;
        this.location = location;
        this.upload = store.upload(key);
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("Cannot write to %s: it is closed".formatted(location));
        }
        digest.update(bytes, offset, length);
        position += length;
        if (length > buffer.remaining()) {
            send();
        }
        if (length > buffer.remaining()) {
            offer(ByteBuffer.wrap(bytes, offset, length));
        } else {
            buffer.put(bytes, offset, length);
        }
    }

    private void send() {
        offer(buffer.flip());
        buffer.clear();
    }

    private void offer(ByteBuffer bytes) {
        boolean taken = false;
        try {
            upload.write(bytes);
            taken = true;
        } finally {
            broken |= !taken;
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (upload) {
            if (broken) {
                throw new IOException(
                        "Cannot finish file %s: the store did not take all of it"
                                .formatted(location));
            }
            send();
            settle(upload.complete());
        }
    }

    private void settle(Creation creation) {
        // A refusal may be on account of our own first try; what lies there tells.
        if (creation instanceof Creation.Done || isThere()) {
            return;
        }
        if (creation instanceof Creation.Unknown unknown) {
            throw new UncheckedIOException(
                    "Cannot finish file %s: whether it is there could not be learned"
                            .formatted(location),
                    new IOException(unknown.cause()));
        }
        throw new AlreadyExistsException(
                "Cannot write file %s: it exists, and files are written once", location);
    }

    private boolean isThere() {
        try {
            return position == 0 ? store.read(key, 0) instanceof Fetched.Found : hasOurBytes();
        } catch (CorruptException e) {
            // It has another length.
            return false;
        }
    }

    private boolean hasOurBytes() {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(position, 1 << 20));
        CRC32C there = new CRC32C();
        for (long from = 0; from < position; from += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), position - from));
            if (!(store.readInto(key, from, piece) instanceof Fetched.Found)) {
                return false;
            }
            there.update(piece.flip());
        }
        return there.getValue() == digest.getValue();
    }
}
