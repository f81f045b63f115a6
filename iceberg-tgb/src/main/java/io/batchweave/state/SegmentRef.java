package io.batchweave.state;

import io.batchweave.model.Bytes;
import java.time.Instant;

/**
 * What a State knows of a segment.
 *
 * @param at the time of its last step
 * @param bytes of the payload of its steps
 * @param receipt the receipt after its last step
 */
public record SegmentRef(long firstStep, long lastStep, Instant at, long bytes, Bytes receipt) {}
