package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Fingerprint;
import io.batchweave.cli.ingest.Input;
import io.batchweave.cli.ingest.Origin;

/**
 * Where a row comes from.
 *
 * @param epoch the epoch in which it is given out, from 0
 * @param row how many rows of its input lie before it
 */
record RowOrigin(Input input, RowInput kind, Fingerprint fingerprint, int epoch, long row) {
    Origin told() {
        return Origin.of(input, fingerprint, epoch, row);
    }

    String describe() {
        return input + " row " + (row + 1);
    }
}
