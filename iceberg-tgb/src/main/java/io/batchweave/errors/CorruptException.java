package io.batchweave.errors;

/** A person must look: stored bytes are not what was written. */
public final class CorruptException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public CorruptException(String message) {
        super(message);
    }

    public CorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
