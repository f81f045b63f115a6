package io.batchweave.cli.inputs;

import io.batchweave.model.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.security.MessageDigest;

/**
 * What tells an input from another of the same name: its length and its bytes. All of them are
 * read, before its rows are: a changed value in the middle of a file changes no footer.
 *
 * @param size bytes
 * @param digest SHA-256, in hexadecimal
 */
public record Fingerprint(long size, String digest) {
    private static final int READ_BYTES = 1 << 18;

    /** That of all bytes. */
    public static Fingerprint of(Input input) {
        return of(input, Long.MAX_VALUE);
    }

    /** That of the first {@code limit} bytes. */
    public static Fingerprint of(Input input, long limit) {
        MessageDigest sha256 = Bytes.sha256();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        long size = 0;
        try (SeekableByteChannel channel = input.open()) {
            while (size < limit) {
                buffer.clear().limit((int) Math.min(READ_BYTES, limit - size));
                int read = channel.read(buffer);
                if (read < 0) {
                    break;
                }
                sha256.update(buffer.flip());
                size += read;
            }
        } catch (IOException e) {
            throw input.unreadable(e);
        }
        return new Fingerprint(size, Bytes.digestOf(sha256).toHex());
    }

    /** Bytes of an input that are counted and digested while they are read by others. */
    public static final class Passing extends InputStream {
        private final InputStream in;
        private final MessageDigest sha256 = Bytes.sha256();
        private long size;

        public Passing(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int at, int count) throws IOException {
            int read = in.read(target, at, count);
            if (read > 0) {
                sha256.update(target, at, read);
                size += read;
            }
            return read;
        }

        /** By this gzip's reader learns that there is another member. */
        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }

        /** The fingerprint of all bytes, also of those that nobody else has read. */
        public Fingerprint rest() throws IOException {
            transferTo(OutputStream.nullOutputStream());
            return new Fingerprint(size, Bytes.digestOf(sha256).toHex());
        }
    }
}
