package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A hash chain over all that trainers are given. Two States that agree on one receipt agree on
 * every payload byte of every step before it.
 */
public final class Receipts {
    private Receipts() {}

    /** The receipt before step 0. */
    static Bytes first(String datasetId) {
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(("batchweave receipt " + datasetId).getBytes(StandardCharsets.US_ASCII));
        return Bytes.digestOf(sha256);
    }

    /** The receipt after a step. */
    static Bytes next(Bytes before, long step, GlobalBatch batch) {
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(before.asBuffer());
        sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(0, step));
        for (Part part : batch.parts()) {
            sha256.update(part.digest().asBuffer());
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.slices().size()));
        }
        return Bytes.digestOf(sha256);
    }
}
