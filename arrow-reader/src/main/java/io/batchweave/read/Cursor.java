package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Names;
import io.batchweave.state.Receipts;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to read on: the same on every rank, whatever the world size, and a few dozen bytes
 * (READ-4).
 *
 * @param datasetId the dataset it was taken from
 * @param nextStep the first step that was not delivered
 * @param receipt of what was delivered before that step
 * @param job whose session it was taken in; empty, as {@code session}: in none
 */
public record Cursor(String datasetId, long nextStep, Bytes receipt, String job, String session) {
    private static final Pattern FORM =
            Pattern.compile(
                    "([^:]+):(\\d{1,18}):([0-9a-f]{64})(?::([A-Za-z0-9_.-]+):([A-Za-z0-9_.-]+))?");

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
        if (job.isEmpty() != session.isEmpty()) {
            throw new IllegalArgumentException(
                    "Invalid cursor: job '%s' and session '%s'; name both or neither"
                            .formatted(job, session));
        }
    }

    /** One that was taken in no session. */
    public Cursor(String datasetId, long nextStep, Bytes receipt) {
        this(datasetId, nextStep, receipt, "", "");
    }

    /**
     * The cursor before a step, of a reader in no session.
     *
     * @throws InvalidRequestException if the log has not all the steps before it
     */
    public static Cursor before(long step, Log log) {
        State state = log.state();
        if (step < 0 || step > state.nextStep()) {
            throw new InvalidRequestException(
                    "Cannot make a cursor at step "
                            + step
                            + ": "
                            + state.nextStep()
                            + " steps are published; a cursor lies before one of them or after the"
                            + " last");
        }
        return new Cursor(state.dataset().id(), step, log.receiptBefore(step));
    }

    /**
     * The cursor at the start of a session.
     *
     * @param log one that knows the session
     */
    public static Cursor atStart(Session session, Log log) {
        long start = session.start().nextStep();
        return new Cursor(
                log.state().dataset().id(),
                start,
                Receipts.given(log.receiptBefore(start), session.passed().below(start)),
                session.job(),
                session.id());
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
                parts.group(1),
                Long.parseLong(parts.group(2)),
                Bytes.fromHex(parts.group(3)),
                Objects.requireNonNullElse(parts.group(4), ""),
                Objects.requireNonNullElse(parts.group(5), ""));
    }

    private static InvalidRequestException malformed(String text) {
        return new InvalidRequestException(
                "Invalid cursor '"
                        + Names.printable(text)
                        + "': a cursor is DATASET_ID:STEP:RECEIPT or DATASET_ID:STEP:RECEIPT:JOB:SESSION,"
                        + " as it was given out");
    }

    /** Whether it was taken in a session. */
    public boolean isOfASession() {
        return !session.isEmpty();
    }

    @Override
    public String toString() {
        String plain = datasetId + ":" + nextStep + ":" + receipt.toHex();
        return isOfASession() ? plain + ":" + job + ":" + session : plain;
    }
}
