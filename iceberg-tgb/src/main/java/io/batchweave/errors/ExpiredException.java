package io.batchweave.errors;

/** Begin later: the payload of the step that was asked for is swept, and does not come back. */
public final class ExpiredException extends BatchWeaveException {
    private static final long serialVersionUID = 1L;

    private final long firstKept;

    /**
     * @param firstKept the first step that there is payload of
     */
    public ExpiredException(String message, long firstKept) {
        super(message);
        this.firstKept = firstKept;
    }

    /** The first step that there is payload of. */
    public long firstKept() {
        return firstKept;
    }
}
