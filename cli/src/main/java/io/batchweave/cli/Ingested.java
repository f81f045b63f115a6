package io.batchweave.cli;

import io.batchweave.cli.ingest.Tally;

/**
 * What one run of an ingest published.
 *
 * @param newestStep the step of its last batch; -1 without one
 */
record Ingested(long batches, long newestStep, Tally tally) {
    static final Ingested NOTHING = new Ingested(0, -1, Tally.ZERO);
}
