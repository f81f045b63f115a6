package io.batchweave.errors;

/** Try later: the store did not answer, or what was waited for did not come in time. */
public final class UnavailableException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
