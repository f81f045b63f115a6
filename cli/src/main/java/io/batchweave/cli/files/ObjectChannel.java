package io.batchweave.cli.files;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * The bytes of an object, fetched in ranges. A read that is longer than what would be read ahead is
 * one request of just its bytes, straight into its buffer. A shorter one fetches more than it
 * needs: after a jump 64 KiB, which for one near the end are the last 64 KiB, where formats have
 * their footers; then twice as much each time as long as reads go on where the last request ended,
 * up to 8 MiB. So a scan makes few requests, and memory is bounded.
 */
final class ObjectChannel implements SeekableByteChannel {
    static final int AHEAD_BYTES_MIN = 1 << 16;
    static final int AHEAD_BYTES_MAX = 1 << 23;

    private final ObjectStore store;
    private final String key;
    private final long size;
    private Window window;
    private int ahead = AHEAD_BYTES_MIN;
    private long requested;
    private long position;
    private boolean closed;

    /** Bytes of an object, from {@code start} on; they are not changed any more. */
    record Window(long start, ByteBuffer bytes) {
        static final Window NOTHING = new Window(-1, ByteBuffer.allocate(0));

        long end() {
            return start + bytes.limit();
        }

        boolean holds(long position) {
            return position >= start && position < end();
        }
    }

    /**
     * An object that has {@code size} bytes. Nothing is asked of the store yet.
     *
     * @param known bytes of it that have been read before
     */
    ObjectChannel(ObjectStore store, String key, long size, Window known) {
        this.store = store;
        this.key = key;
        this.size = size;
        this.window = known;
        this.requested = known.end();
    }

    /** What it knows of the object; once it is closed, at most {@link #AHEAD_BYTES_MIN}. */
    Window window() {
        return window;
    }

    @Override
    public int read(ByteBuffer target) throws ClosedChannelException {
        requireOpen();
        if (position >= size) {
            return -1;
        }
        int wanted = (int) Math.min(target.remaining(), size - position);
        int read =
                wanted == 0 || window.holds(position)
                        ? copy(target, wanted)
                        : fetch(target, wanted);
        position += read;
        return read;
    }

    private int fetch(ByteBuffer target, int wanted) {
        boolean goesOn = position == requested;
        ahead = goesOn ? Math.min(2 * ahead, AHEAD_BYTES_MAX) : AHEAD_BYTES_MIN;
        if (wanted >= ahead) {
            request(position, target.slice().limit(wanted));
            target.position(target.position() + wanted);
            return wanted;
        }
        long start = goesOn ? position : Math.max(0, Math.min(position, size - ahead));
        fillWindow(start, (int) Math.min(ahead, size - start));
        return copy(target, wanted);
    }

    private void fillWindow(long start, int count) {
        window = Window.NOTHING; // so that there is one in memory, not two
        ByteBuffer bytes = ByteBuffer.allocate(count);
        request(start, bytes);
        window = new Window(start, bytes.flip());
    }

    private int copy(ByteBuffer target, int wanted) {
        if (wanted == 0) {
            return 0;
        }
        int at = (int) (position - window.start());
        int count = Math.min(wanted, window.bytes().limit() - at);
        target.put(window.bytes().slice(at, count));
        return count;
    }

    private void request(long start, ByteBuffer target) {
        long end = start + target.remaining();
        try {
            if (store.readInto(key, start, target) instanceof Fetched.Absent) {
                throw refusal("it is no longer there");
            }
        } catch (CorruptException e) {
            throw refusal("it no longer has its " + size + " bytes");
        }
        requested = end;
    }

    /** Not an exception of IO, which libraries take for damage. */
    private InvalidRequestException refusal(String why) {
        return new InvalidRequestException(
                "Cannot read "
                        + store.nameOf(key)
                        + ": "
                        + why
                        + "; inputs must stay as they are while they are ingested");
    }

    @Override
    public long position() throws ClosedChannelException {
        requireOpen();
        return position;
    }

    @Override
    public SeekableByteChannel position(long moved) throws ClosedChannelException {
        requireOpen();
        if (moved < 0) {
            throw new IllegalArgumentException("Invalid position " + moved + ": use 0 or more");
        }
        position = moved;
        return this;
    }

    @Override
    public long size() throws ClosedChannelException {
        requireOpen();
        return size;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long length) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        closed = true;
        if (window.bytes().limit() > AHEAD_BYTES_MIN) {
            window = Window.NOTHING;
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }
}
