package io.batchweave.store;

import io.batchweave.world.World;
import java.net.URI;
import java.util.Set;

/**
 * Opens the stores of some URI schemes. {@link Stores} finds it as a {@link java.util.ServiceLoader
 * service}: a public class with a public constructor without arguments, named in {@code
 * META-INF/services/io.batchweave.store.StoreProvider}.
 *
 * <p>Where a store needs a library that may be missing, its provider must load without it: it names
 * the library's classes nowhere but inside of {@link #open}.
 */
public interface StoreProvider {
    /** The schemes it opens, in lower case, such as {@code s3}. */
    Set<String> schemes();

    /**
     * What must be on the class path beside BatchWeave, for the message when it is not there, such
     * as {@code software.amazon.awssdk:s3}; empty if nothing is.
     */
    String needs();

    /**
     * Opens the space that an absolute URI of one of the schemes names.
     *
     * @param world the source of time and chance; a store that has a clock of its own takes the
     *     store's time from there
     * @throws io.batchweave.errors.InvalidRequestException if the URI names no space
     * @throws io.batchweave.errors.UnavailableException if the store cannot be reached
     */
    ObjectStore open(URI uri, World world);

    /**
     * Makes the space that a URI names if it is of a kind that one makes, such as a local folder;
     * does nothing if it exists, or if others make it, such as a bucket.
     *
     * @throws io.batchweave.errors.UnavailableException if it cannot be made
     */
    default void make(URI uri) {}
}
