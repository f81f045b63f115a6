package io.batchweave.errors;

/** Mend the request: what was asked for makes no sense here, and is not done. */
public final class InvalidRequestException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public InvalidRequestException(String message) {
        super(message);
    }

    public InvalidRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
