package io.batchweave.produce;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Part;
import io.batchweave.payload.PartWriter;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import org.apache.arrow.vector.VectorSchemaRoot;

/** One part on its way into the store: written, then finished, then made visible. */
final class PartUpload implements AutoCloseable {
    private static final Duration COMPLETION = Duration.ofSeconds(60);
    private static final Duration BACK_OFF_MOST = Duration.ofMillis(200);
    private static final int READ_BYTES = 1 << 20;

    private final ObjectStore store;
    private final String key;
    private final Upload upload;
    private final PartWriter writer;
    private Part part;

    PartUpload(ObjectStore store, String key, PayloadSchema schema) {
        this.store = store;
        this.key = key;
        this.upload = store.upload(key);
        this.writer = new PartWriter(upload, schema);
    }

    void write(VectorSchemaRoot slice) {
        writer.write(slice);
    }

    /** Bytes so far. */
    long length() {
        return writer.length();
    }

    /** Ends it: nothing more is written, and nothing is visible yet. */
    Part finish() {
        part = writer.finish();
        return part;
    }

    /**
     * Makes the object visible, durably (PRODUCE-1).
     *
     * <p>A completion is asked for once: what was written has left this process and cannot be sent
     * again. If it is refused or doubtful, we look (STORE-2). Only one incarnation may write this
     * key, and writes it once (PRODUCE-3), so what lies there is ours; the digest says whether
     * everybody kept to that, which they have not where a dataset was made again over old payload.
     * That must be read whole: what another incarnation put there may have the same length and
     * shape, and differ in one byte. It is the price of a lost answer and of nothing else.
     *
     * @throws UnavailableException if it is not there in time
     * @throws CorruptException if something else lies there
     */
    void complete(World world) {
        if (upload.complete() instanceof Creation.Done) {
            return;
        }
        Deadline deadline = world.deadline(COMPLETION);
        while (!isThere()) {
            if (!deadline.remains()) {
                throw unconfirmed("within " + COMPLETION.toSeconds() + " s");
            }
            world.pauseUpTo(BACK_OFF_MOST);
            if (Thread.currentThread().isInterrupted()) {
                throw unconfirmed("before the thread was interrupted");
            }
        }
    }

    private boolean isThere() {
        MessageDigest sha256 = Bytes.sha256();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(READ_BYTES, part.length()));
        for (long offset = 0; offset < part.length(); offset += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), part.length() - offset));
            if (read(offset, piece) instanceof Fetched.Absent) {
                return false;
            }
            sha256.update(piece.flip());
        }
        Bytes found = Bytes.digestOf(sha256);
        if (!found.equals(part.digest())) {
            throw new CorruptException(
                    "Cannot upload "
                            + object()
                            + ": an object with digest "
                            + found
                            + " lies there, and what was written has "
                            + part.digest()
                            + "; look who wrote it, and use another dataset meanwhile");
        }
        return true;
    }

    private Fetched read(long offset, ByteBuffer target) {
        try {
            return store.readInto(key, offset, target);
        } catch (UnavailableException e) {
            throw e.as(
                    "Cannot upload "
                            + object()
                            + ": the store did not confirm it, and it cannot be looked at ("
                            + e.getMessage()
                            + "); open the producer again to continue");
        }
    }

    private UnavailableException unconfirmed(String when) {
        return new UnavailableException(
                "Cannot upload "
                        + object()
                        + ": the store did not confirm it "
                        + when
                        + "; open the producer again to continue");
    }

    private String object() {
        return store.nameOf(key);
    }

    /** Gives up what is not visible, and all that the upload took in the store. */
    @Override
    public void close() {
        upload.close();
    }
}
