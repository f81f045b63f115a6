package io.batchweave.errors;

/** Something failed. The message says what, on what, why and what to do, in one line. */
public abstract sealed class BatchWeaveException extends RuntimeException
        permits FencedException,
                UnavailableException,
                CommitUnknownException,
                CorruptException,
                ExpiredException,
                UnsupportedFeatureException,
                InvalidRequestException {
    private static final long serialVersionUID = 1L;

    BatchWeaveException(String message) {
        super(message);
    }

    BatchWeaveException(String message, Throwable cause) {
        super(message, cause);
    }
}
