package io.batchweave.store;

import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * A space of write-once objects under keys such as {@code train/pretrain/log/00/07}.
 *
 * <p>Every promise here is kept by every implementation and checked by one suite of tests. Safe for
 * use by many threads. What a store throttles or drops is tried again within a deadline, except
 * creates: whoever asked for those looks and decides.
 */
public interface ObjectStore extends AutoCloseable {
    /** The URI of the space, for messages; it holds no secret. */
    String uri();

    /**
     * Creates an object if its key is absent: atomic among all processes, visible whole or not at
     * all, durable before this returns {@link Creation.Done}.
     *
     * @throws io.batchweave.errors.UnavailableException if it certainly was not created: no
     *     permission, no space
     */
    Creation create(String key, ByteBuffer body);

    /**
     * Starts an object that is too large to hold in memory. Nothing is visible before it is
     * completed.
     */
    Upload upload(String key);

    /**
     * Reads a whole object.
     *
     * @throws io.batchweave.errors.CorruptException if it is larger than {@code bytesMax}
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Fetched read(String key, int bytesMax);

    /**
     * Fills {@code target} with the bytes from {@code offset} on, straight from the store: direct
     * buffers are not copied through the heap.
     *
     * @throws io.batchweave.errors.CorruptException if the object ends too early
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Fetched readInto(String key, long offset, ByteBuffer target);

    /**
     * Lists a folder, completely and in order, without what lies in the folders below it. A folder
     * that does not exist is empty.
     *
     * @param after only objects whose key sorts after this one; empty for all
     */
    Listing list(String folder, String after);

    /** Deletes objects; those that are absent already are no error. */
    void delete(Collection<String> keys);

    @Override
    void close();
}
