package io.batchweave.errors;

/**
 * Stop: another incarnation took over, or the dataset was sealed or dropped; nothing more can be
 * published.
 */
public final class FencedException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    public FencedException(String message) {
        super(message);
    }
}
