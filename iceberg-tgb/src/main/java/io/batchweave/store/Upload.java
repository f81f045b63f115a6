package io.batchweave.store;

import java.nio.ByteBuffer;

/**
 * An object that is being written. It becomes visible whole, at {@link #complete}, or never.
 *
 * <p>Used by one thread at a time.
 */
public interface Upload extends AutoCloseable {
    /**
     * Takes the remaining bytes of {@code bytes}; the buffer may be used again when this returns.
     *
     * @throws io.batchweave.errors.UnavailableException if the store cannot take them; nothing is
     *     visible
     */
    void write(ByteBuffer bytes);

    /** Creates the object of all that was written, if the key is absent. */
    Creation complete();

    /** Gives up what was not completed, and what it took in the store. */
    @Override
    void close();
}
