package io.batchweave.store;

import java.nio.ByteBuffer;

/**
 * An object that is being written. It becomes visible whole, at {@link #complete}, or never.
 *
 * <p>Used by one thread at a time.
 */
public interface Upload extends AutoCloseable {
    /**
     * Takes the remaining bytes of {@code bytes}, which ends at its limit; the buffer may be used
     * again when this returns.
     *
     * @throws io.batchweave.errors.UnavailableException if the store cannot take them; nothing is
     *     visible, and all that is left to do is to close
     * @throws io.batchweave.errors.InvalidRequestException after completing or closing
     */
    void write(ByteBuffer bytes);

    /**
     * Creates the object of all that was written, if the key is absent. What {@link
     * ObjectStore#create} promises holds here too, and what comes out must be looked at in the same
     * way; but the store asks more than once, since nobody else could.
     *
     * @throws io.batchweave.errors.UnavailableException if it certainly was not created; nothing is
     *     visible
     * @throws io.batchweave.errors.InvalidRequestException if asked a second time, or after closing
     */
    Creation complete();

    /** Gives up what was not completed, and what it took in the store. Never fails. */
    @Override
    void close();
}
