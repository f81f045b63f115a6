package io.batchweave.log;

import java.time.Instant;

/**
 * The commits up to a version may be gone.
 *
 * @param at the store's time when all of them were there
 */
record Boundary(long version, Instant at) {}
