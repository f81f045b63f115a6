package io.batchweave.store.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;
import software.amazon.awssdk.core.sync.RequestBody;

/** The remaining bytes of a buffer as the body of a request, without a copy of them. */
final class BufferStream extends InputStream {
    private static final String TYPE = "application/octet-stream";

    private final ByteBuffer bytes;
    private int marked;

    private BufferStream(ByteBuffer bytes) {
        this.bytes = bytes;
        this.marked = bytes.position();
    }

    /** The buffer's position stays; its bytes must not change before the request is over. */
    static RequestBody body(ByteBuffer bytes) {
        ByteBuffer all = bytes.slice();
        return RequestBody.fromContentProvider(
                () -> new BufferStream(all.duplicate()), all.remaining(), TYPE);
    }

    @Override
    public int read() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int moved = Math.min(length, bytes.remaining());
        bytes.get(target, offset, moved);
        return moved == 0 ? -1 : moved;
    }

    @Override
    public long skip(long count) {
        int skipped = (int) Math.max(0, Math.min(count, bytes.remaining()));
        bytes.position(bytes.position() + skipped);
        return skipped;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) {
        marked = bytes.position();
    }

    @Override
    public void reset() {
        bytes.position(marked);
    }
}
