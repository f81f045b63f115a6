package io.batchweave.read;

/**
 * An object of a step is not there. Whether that is damage, or was swept since we looked, only the
 * log can tell; the thread that fetches leaves it to the one that reads.
 */
public final class MissingPayload extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param object its name, for people
     */
    public MissingPayload(String object) {
        super(
                "Cannot read "
                        + object
                        + ": the log names it, and it is not there; restore the object or skip"
                        + " its step");
    }
}
