package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Input;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * What tells an input from another of the same name: its length and its bytes. All of them are
 * read, before its rows are: a changed value in the middle of a file changes no footer.
 *
 * @param size bytes
 * @param digest SHA-256, in hexadecimal
 */
record Fingerprint(long size, String digest) {
    private static final int READ_BYTES = 1 << 18;

    static Fingerprint of(Input input) {
        return of(input, Long.MAX_VALUE);
    }

    /** That of the first {@code limit} bytes. */
    static Fingerprint of(Input input, long limit) {
        MessageDigest sha256 = Bytes.sha256();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        long size = 0;
        try (FileChannel channel = FileChannel.open(input.path())) {
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
            throw Input.unreadable(input.path(), e);
        }
        return new Fingerprint(size, Bytes.digestOf(sha256).toHex());
    }
}
