package io.batchweave.errors;

/**
 * Offer the same commit again and delete nothing: whether it is in the log could not be learned in
 * time.
 */
public final class CommitUnknownException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public CommitUnknownException(String message) {
        super(message);
    }

    public CommitUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
