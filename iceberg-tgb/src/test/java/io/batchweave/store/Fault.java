package io.batchweave.store;

/**
 * What goes wrong with one call. Whoever calls learns of each in the way that stores tell of it.
 */
public enum Fault {
    /** Nothing. */
    NONE,
    /**
     * The store says that it does not do it, as by a 503 to a read: the call throws, and nothing
     * happened.
     */
    UNAVAILABLE,
    /**
     * The request never arrives, or meets a 409 or 503: a create is unknown, any other call throws.
     */
    REQUEST_LOST,
    /**
     * The store does it, and the answer never arrives: a create is unknown, any other call throws.
     */
    ANSWER_LOST,
    /**
     * The request arrives twice, as after a retry inside of an SDK; the second answer is the one
     * that counts. A create is refused, by a 412, on account of itself.
     */
    TWICE,
    /**
     * A create or delete is under way for long: it is unknown, or throws, and the store does it
     * when {@link FaultyStore#applyLate} is called or the plan says so. Any other call: {@link
     * #UNAVAILABLE}.
     */
    LATE,
    /** Half of the body that a read found is missing. Any other call: {@link #NONE}. */
    TRUNCATED,
    /** One bit of the body that a read found is wrong. Any other call: {@link #NONE}. */
    FLIPPED
}
