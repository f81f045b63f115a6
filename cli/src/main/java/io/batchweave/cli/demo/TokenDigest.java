package io.batchweave.cli.demo;

import io.batchweave.model.Bytes;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.security.MessageDigest;

/** A digest of a sequence of tokens, however it is cut into rows. */
final class TokenDigest {
    private final MessageDigest sha256 = Bytes.sha256();
    private long tokens;

    /** Adds the first tokens of a row. */
    void add(IntBuffer row, int valid) {
        ByteBuffer bytes = ByteBuffer.allocate(valid * Integer.BYTES);
        bytes.asIntBuffer().put(row.duplicate().limit(row.position() + valid));
        sha256.update(bytes);
        tokens += valid;
    }

    long tokens() {
        return tokens;
    }

    Bytes end() {
        return Bytes.digestOf(sha256);
    }
}
