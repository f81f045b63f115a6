package io.batchweave.store;

import java.nio.ByteBuffer;
import java.time.Instant;

/** How a read came out. */
public sealed interface Fetched {

    /** The bytes asked for, ready to be read. {@code at}: the store's time. */
    record Found(ByteBuffer body, Instant at) implements Fetched {}

    /** There is no object of that key. {@code at}: the store's time. */
    record Absent(Instant at) implements Fetched {}
}
