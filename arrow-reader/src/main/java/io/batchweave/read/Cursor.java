package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.state.State;

/**
 * Where to read on: the same on every rank, whatever the world size, and a few dozen bytes
 * (READ-4).
 *
 * @param datasetId the dataset it was taken from
 * @param nextStep the first step that was not delivered
 * @param receipt the receipt before that step: what was delivered
 */
public record Cursor(String datasetId, long nextStep, Bytes receipt) {

    /** The cursor before a step that the State knows, or the one after its last. */
    public static Cursor before(long step, State state) {
        return new Cursor(state.dataset().id(), step, state.receiptBefore(step));
    }

    /** Reads what {@link #toString} wrote. */
    public static Cursor parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 3) {
                return new Cursor(parts[0], Long.parseLong(parts[1]), Bytes.fromHex(parts[2]));
            }
        } catch (IllegalArgumentException e) {
            throw malformed(text);
        }
        throw malformed(text);
    }

    private static InvalidRequestException malformed(String text) {
        return new InvalidRequestException(
                "Invalid cursor '"
                        + text
                        + "': a cursor is DATASET_ID:STEP:RECEIPT, as it was given out");
    }

    /**
     * Checks that the steps before this cursor are those that were delivered.
     *
     * @throws InvalidRequestException if it belongs to another dataset or another history
     */
    void checkAgainst(State state, String dataset) {
        if (!datasetId.equals(state.dataset().id())) {
            throw new InvalidRequestException(
                    "Cannot resume "
                            + dataset
                            + " at step "
                            + nextStep
                            + ": the cursor was taken from dataset "
                            + datasetId
                            + ", this is "
                            + state.dataset().id());
        }
        if (nextStep < 0 || nextStep > state.nextStep()) {
            throw new InvalidRequestException(
                    "Cannot resume "
                            + dataset
                            + " at step "
                            + nextStep
                            + ": only "
                            + state.nextStep()
                            + " steps are published, so the cursor belongs to another history");
        }
        Bytes actual = state.receiptBefore(nextStep);
        if (!receipt.equals(actual)) {
            throw new InvalidRequestException(
                    "Cannot resume "
                            + dataset
                            + " at step "
                            + nextStep
                            + ": the cursor's receipt is "
                            + receipt
                            + ", the log's is "
                            + actual
                            + "; it belongs to another history");
        }
    }

    @Override
    public String toString() {
        return datasetId + ":" + nextStep + ":" + receipt.toHex();
    }
}
