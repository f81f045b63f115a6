package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Names;
import io.batchweave.state.State;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to read on: the same on every rank, whatever the world size, and a few dozen bytes
 * (READ-4).
 *
 * @param datasetId the dataset it was taken from
 * @param nextStep the first step that was not delivered
 * @param receipt the receipt before that step: what was delivered
 */
public record Cursor(String datasetId, long nextStep, Bytes receipt) {
    private static final Pattern FORM = Pattern.compile("([^:]+):(\\d{1,18}):([0-9a-f]{64})");

    public Cursor {
        if (nextStep < 0 || receipt.length() != Bytes.SHA256_BYTES) {
            throw new IllegalArgumentException(
                    "Invalid cursor: step "
                            + nextStep
                            + ", a receipt of "
                            + receipt.length()
                            + " bytes; steps count from 0, a receipt has "
                            + Bytes.SHA256_BYTES);
        }
    }

    /**
     * The cursor before a step.
     *
     * @throws InvalidRequestException if the State does not know all the steps before it
     */
    public static Cursor before(long step, State state) {
        if (step < 0 || step > state.nextStep()) {
            throw new InvalidRequestException(
                    "Cannot make a cursor at step "
                            + step
                            + ": "
                            + state.nextStep()
                            + " steps are published; a cursor lies before one of them or after the"
                            + " last");
        }
        return new Cursor(state.dataset().id(), step, state.receiptBefore(step));
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws InvalidRequestException if it is something else
     */
    public static Cursor parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw malformed(text);
        }
        return new Cursor(
                parts.group(1), Long.parseLong(parts.group(2)), Bytes.fromHex(parts.group(3)));
    }

    private static InvalidRequestException malformed(String text) {
        return new InvalidRequestException(
                "Invalid cursor '"
                        + Names.printable(text)
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
        if (nextStep > state.nextStep()) {
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
