package io.batchweave.errors;

/** Upgrade: the dataset uses a feature that this software does not know. */
public final class UnsupportedFeatureException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public UnsupportedFeatureException(String message) {
        super(message);
    }
}
