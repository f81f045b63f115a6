package io.batchweave.catalog.files;

import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/** Reads ranges of an object; what is read in sequence is fetched ahead. */
final class StoredStream extends SeekableInputStream implements RangeReadable {
    private static final int AHEAD_BYTES_MAX = 1 << 20;

    private final ObjectStore store;
    private final String key;
    private final String location;
    private final long length;

    private long position;
    private long aheadFrom;
    private ByteBuffer ahead;
    private boolean closed;

    /**
     * @param whole the whole object, if somebody has it already
     */
    StoredStream(
            ObjectStore store,
            String key,
            String location,
            long length,
            Optional<ByteBuffer> whole) {
        this.store = store;
        this.key = key;
        this.location = location;
        this.length = length;
        this.ahead = whole.map(ByteBuffer::duplicate).orElse(ByteBuffer.allocate(0));
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void seek(long target) throws IOException {
        requireOpen();
        if (target < 0 || target > length) {
            throw new EOFException(
                    "Cannot seek to %d in %s: it has %d bytes".formatted(target, location, length));
        }
        position = target;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int wanted) throws IOException {
        requireOpen();
        if (wanted == 0) {
            return 0;
        }
        if (position >= length) {
            return -1;
        }
        int count = (int) Math.min(wanted, length - position);
        if (!isAhead(position) && count >= AHEAD_BYTES_MAX) {
            fetch(position, ByteBuffer.wrap(target, offset, count));
        } else {
            if (!isAhead(position)) {
                fill();
            }
            int from = (int) (position - aheadFrom);
            count = Math.min(count, ahead.limit() - from);
            ahead.get(from, target, offset, count);
        }
        position += count;
        return count;
    }

    private boolean isAhead(long at) {
        return at >= aheadFrom && at < aheadFrom + ahead.limit();
    }

    private void fill() {
        ByteBuffer next = ByteBuffer.allocate((int) Math.min(AHEAD_BYTES_MAX, length - position));
        fetch(position, next);
        ahead = next.flip();
        aheadFrom = position;
    }

    @Override
    public long skip(long count) throws IOException {
        requireOpen();
        long skipped = Math.max(0, Math.min(count, length - position));
        position += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return isAhead(position) ? (int) (aheadFrom + ahead.limit() - position) : 0;
    }

    @Override
    public void readFully(long from, byte[] target, int offset, int wanted) throws IOException {
        requireOpen();
        if (from > length - wanted) {
            throw new EOFException(
                    "Cannot read %d bytes at %d of %s: it has %d bytes"
                            .formatted(wanted, from, location, length));
        }
        if (wanted > 0) {
            fetch(from, ByteBuffer.wrap(target, offset, wanted));
        }
    }

    @Override
    public int readTail(byte[] target, int offset, int wanted) throws IOException {
        int count = (int) Math.min(wanted, length);
        readFully(length - count, target, offset, count);
        return count;
    }

    private void fetch(long from, ByteBuffer target) {
        if (!(store.readInto(key, from, target) instanceof Fetched.Found)) {
            throw new NotFoundException("Cannot read file %s: it does not exist", location);
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("Cannot read %s: the stream is closed".formatted(location));
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        ahead = ByteBuffer.allocate(0);
        super.close();
    }
}
