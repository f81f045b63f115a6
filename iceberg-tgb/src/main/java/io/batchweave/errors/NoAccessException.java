package io.batchweave.errors;

/**
 * Mend the way to the store, which will not get better by itself: its address, the credentials, or
 * what these may do.
 */
public final class NoAccessException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    public NoAccessException(String message) {
        super(message);
    }

    public NoAccessException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public UnavailableException as(String message) {
        return new NoAccessException(message, this);
    }
}
