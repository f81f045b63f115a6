package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.GlobalBatch;
import java.time.Instant;

/**
 * What is known of one published step.
 *
 * @param step its position in the order, from 0
 * @param version the commit that published it
 * @param at the commit's time
 * @param batch without its provenance, which can be long: it is in the commit
 * @param receipt the receipt after this step
 */
public record StepRecord(
        long step, long version, Instant at, Claim claim, GlobalBatch batch, Bytes receipt) {}
