package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * A hash chain over all that is published. Two States that agree on one receipt agree on every
 * payload byte of every step before it. What a job's trainers were given is that, and what they
 * passed over.
 */
public final class Receipts {
    private Receipts() {}

    /** The receipt before step 0. */
    static Bytes first(String datasetId) {
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(("batchweave receipt " + datasetId).getBytes(StandardCharsets.US_ASCII));
        return Bytes.digestOf(sha256);
    }

    /** The receipt after a step. */
    static Bytes next(Bytes before, long step, GlobalBatch batch) {
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(before.asBuffer());
        sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(0, step));
        for (Part part : batch.parts()) {
            sha256.update(part.digest().asBuffer());
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.slices().size()));
        }
        return Bytes.digestOf(sha256);
    }

    /**
     * Makes sure that steps follow each other and a receipt, and returns the receipt after them.
     *
     * @throws IllegalArgumentException if one is another step or has another receipt
     */
    static Bytes checkChain(long firstStep, Bytes before, List<StepRecord> steps) {
        Bytes receipt = before;
        long step = firstStep;
        for (StepRecord record : steps) {
            receipt = next(receipt, step, record.batch());
            if (record.step() != step || !record.receipt().equals(receipt)) {
                throw new IllegalArgumentException(
                        "step "
                                + record.step()
                                + " has the receipt "
                                + record.receipt()
                                + ", and what comes before it makes that of step "
                                + step
                                + " "
                                + receipt);
            }
            step++;
        }
        return receipt;
    }

    /**
     * The receipt of what was given up to a step: two trainers that have the same one there were
     * given the same. It takes nothing but the chain at that step, so resuming reads no history.
     *
     * @param chain the chain's receipt before the step
     * @param passed the steps below it that were not given
     */
    public static Bytes given(Bytes chain, StepRanges passed) {
        if (passed.isEmpty()) {
            return chain;
        }
        MessageDigest sha256 = Bytes.sha256();
        sha256.update("batchweave passed ".getBytes(StandardCharsets.US_ASCII));
        sha256.update(chain.asBuffer());
        for (StepRange range : passed.ranges()) {
            ByteBuffer steps = ByteBuffer.allocate(2 * Long.BYTES);
            sha256.update(steps.putLong(range.first()).putLong(range.last()).flip());
        }
        return Bytes.digestOf(sha256);
    }
}
