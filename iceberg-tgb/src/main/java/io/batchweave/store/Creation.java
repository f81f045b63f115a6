package io.batchweave.store;

import java.time.Instant;

/** How a create-if-absent came out (STORE-1). */
public sealed interface Creation {

    /** The object is there, whole, durable, and it is ours. {@code at}: the store's time. */
    record Done(Instant at) implements Creation {}

    /**
     * The key already existed; what lies there may be our own earlier attempt (STORE-2). {@code
     * at}: the store's time.
     */
    record Refused(Instant at) implements Creation {}

    /** The object may be there, may still come, or may never come. Never treat this as failed. */
    record Unknown(Exception cause) implements Creation {}
}
