package io.batchweave.errors;

/** Try later: the store did not answer, or what was waited for did not come in time. */
public sealed class UnavailableException extends BatchWeaveException permits NoAccessException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same kind of failure, told as one of a larger task; this is its cause. */
    public UnavailableException as(String message) {
        return new UnavailableException(message, this);
    }
}
