package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Origin;

/**
 * Where a row comes from.
 *
 * @param epoch the epoch in which it is given out, from 0
 * @param row how many rows of its input lie before it
 */
public record RowOrigin(Input input, RowInput kind, Fingerprint fingerprint, int epoch, long row) {
    public Origin told() {
        return Origin.of(input, fingerprint, epoch, row);
    }

    public String describe() {
        return input + " row " + row;
    }
}
