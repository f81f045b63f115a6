package io.batchweave.store;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * A space of write-once objects under keys such as {@code train/pretrain/log/00/07}.
 *
 * <p>Every promise here is kept by every implementation and checked by one suite of tests. Safe for
 * use by many threads. What a store throttles or drops is tried again within a deadline, except
 * {@link #create}: whoever asked for that looks and decides.
 *
 * <p>What makes a key is said in {@link Keys}; another key is an {@link IllegalArgumentException}.
 * No key may be the folder of another: where folders are real, that cannot be.
 *
 * <p>Any of them may throw {@link io.batchweave.errors.NoAccessException} where the store refuses,
 * and would until somebody mends its address, the credentials or their permissions.
 *
 * <p>An interrupted thread may get an {@link io.batchweave.errors.UnavailableException} or {@link
 * Creation.Unknown} at once; its interrupt flag stays set.
 */
public interface ObjectStore extends AutoCloseable {
    /** The URI of the space, for messages; it holds no secret. */
    String uri();

    /** What messages call an object of this space. */
    default String nameOf(String key) {
        return uri().endsWith("/") ? uri() + key : uri() + "/" + key;
    }

    /**
     * Who keeps the promise that of many creates of one key one is done. A server may be of a kind
     * that does not, and is {@link Probe probed} before the first write to a dataset.
     */
    default Arbiter arbiter() {
        return Arbiter.SERVER;
    }

    /** Whose clock the times in answers are from. */
    default Timekeeper timekeeper() {
        return Timekeeper.CALLER;
    }

    /**
     * Creates an object if its key is absent: atomic among all processes, visible whole or not at
     * all, durable before this returns {@link Creation.Done}. The object that a {@link
     * Creation.Refused} speaks of is durable too.
     *
     * @param body its remaining bytes are the object; its position stays where it is, so that the
     *     same bytes can be offered again
     * @throws io.batchweave.errors.UnavailableException if it certainly was not created: no
     *     permission, no space
     */
    Creation create(String key, ByteBuffer body);

    /**
     * Starts an object that is too large to hold in memory. Nothing is visible before it is
     * completed.
     *
     * @throws io.batchweave.errors.UnavailableException if the store cannot take it: no permission,
     *     no answer in time
     */
    Upload upload(String key);

    /**
     * Like {@link #upload}, in the way in which the largest objects are written, however small this
     * one is: for probes.
     */
    default Upload uploadInParts(String key) {
        return upload(key);
    }

    /**
     * Reads a whole object. What was found is durable.
     *
     * @param bytesMax the most that the caller is ready to hold in memory
     * @throws io.batchweave.errors.CorruptException if it is larger than {@code bytesMax}
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Fetched read(String key, int bytesMax);

    /**
     * Fills {@code target} with the bytes from {@code offset} on, straight from the store: direct
     * buffers are not copied through the heap. What was found is durable.
     *
     * @param offset bytes from the object's start
     * @param target filled from its position to its limit, where its position then is; the body
     *     that is returned is a view of just these bytes. After an error, what is in it is
     *     undefined.
     * @throws io.batchweave.errors.CorruptException if the object ends too early
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Fetched readInto(String key, long offset, ByteBuffer target);

    /**
     * Hands a range on piece by piece as it comes, so that it can go into a file or a socket
     * without being in memory whole. What was found is durable.
     *
     * <p>It is one request. Where a connection drops, the next one goes on behind the last piece:
     * no piece comes twice. After an error, and where the object was deleted meanwhile, the sink
     * has had a beginning of the range, perhaps none of it.
     *
     * @param offset bytes from the object's start
     * @param length bytes; may be more than fits in memory
     * @param sink given all bytes in order, by the calling thread, before this returns. What it
     *     throws is thrown from here as it is, and nothing is tried again then. The connection is
     *     held while it works.
     * @return found, with an empty body, when the sink has had all
     * @throws io.batchweave.errors.CorruptException if the object ends too early
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Fetched readThrough(String key, long offset, long length, PieceSink sink);

    /**
     * Lists a folder, completely and in order, without what lies in the folders below it. A folder
     * that does not exist is empty. Every object whose create returned before this was called, and
     * that nobody deleted, is there.
     *
     * @param folder a key, without a slash at its end; empty for the whole space
     * @param after only objects, folders and others whose whole key sorts after this one, which
     *     need not exist; empty for all
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    Listing list(String folder, String after);

    /**
     * Lists a folder and all folders below it, one by one.
     *
     * @param taker given the objects of each folder that has some; it may delete them
     */
    default void listBelow(String folder, Consumer<List<Listing.Item>> taker) {
        Listing listing = list(folder, "");
        if (!listing.objects().isEmpty()) {
            taker.accept(listing.objects());
        }
        listing.folders().forEach(below -> listBelow(folder + "/" + below, taker));
    }

    /**
     * Deletes objects; those that are absent already are no error. Every one is gone when this
     * returns, though a machine that crashes may bring some back.
     *
     * @throws io.batchweave.errors.UnavailableException if some may still be there; ask again
     */
    void delete(Collection<String> keys);

    /** Gives back what the store holds: connections, threads, unfinished uploads. */
    @Override
    void close();
}
