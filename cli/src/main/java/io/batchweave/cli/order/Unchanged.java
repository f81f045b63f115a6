package io.batchweave.cli.order;

import io.batchweave.errors.InvalidRequestException;

/** What may not change once something has been ingested. */
public final class Unchanged {
    /** What an option is that was left out. */
    public static final String NOT_GIVEN = "not given";

    private Unchanged() {}

    /**
     * Compares what an option was with what it is.
     *
     * @throws InvalidRequestException with both values, if they differ
     */
    public static void check(String option, Object committed, Object given) {
        if (!committed.equals(given)) {
            throw new InvalidRequestException(
                    "Cannot resume the ingest: --"
                            + option
                            + " was "
                            + committed
                            + " for what is committed and is "
                            + given
                            + " now; use the first again, or another producer");
        }
    }
}
