package io.batchweave.produce;

import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Part;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;

/** One part on its way into the store. */
final class PartUpload implements AutoCloseable {
    private static final Duration COMPLETION = Duration.ofSeconds(60);
    private static final Duration BACK_OFF_MOST = Duration.ofMillis(200);

    private final ObjectStore store;
    private final String key;
    private final Upload upload;
    private long length;

    PartUpload(ObjectStore store, String key) {
        this.store = store;
        this.key = key;
        this.upload = store.upload(key);
    }

    Upload upload() {
        return upload;
    }

    /** Says how long the object is when it is whole. */
    void ended(Part part) {
        length = part.length();
    }

    /**
     * Makes the object visible.
     *
     * <p>Only one incarnation may ever write this key, and it writes it once, so whatever lies
     * there whole is ours: a refused or doubtful completion is settled by looking for its last
     * byte.
     *
     * @throws UnavailableException if it is not there in time
     */
    void complete(World world) {
        Deadline deadline = world.deadline(COMPLETION);
        do {
            if (upload.complete() instanceof Creation.Done || isThere()) {
                return;
            }
            world.pauseUpTo(BACK_OFF_MOST);
        } while (deadline.remains());
        throw new UnavailableException(
                "Cannot upload "
                        + store.uri()
                        + "/"
                        + key
                        + ": the store did not confirm it within "
                        + COMPLETION.toSeconds()
                        + " s; start the producer again to continue");
    }

    private boolean isThere() {
        return store.readInto(key, length - 1, ByteBuffer.allocate(1)) instanceof Fetched.Found;
    }

    @Override
    public void close() {
        upload.close();
    }
}
