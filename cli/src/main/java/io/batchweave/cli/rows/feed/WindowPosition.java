package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Finished;

/**
 * A place in the windows of an order.
 *
 * @param inputs all inputs, by names and lengths
 * @param contents SHA-256, in hexadecimal, of their digests, one behind the other
 * @param epoch from 0
 * @param window its number in the epoch, from 0
 * @param taken how many rows of the window lie before the place
 */
record WindowPosition(Finished inputs, String contents, int epoch, long window, int taken)
        implements RowPosition {
    WindowPosition {
        if (epoch < 0 || window < 0 || taken < 0) {
            throw new IllegalArgumentException(
                    "Invalid position: epoch " + epoch + " window " + window + " row " + taken);
        }
    }

    @Override
    public String describe() {
        return "epoch " + epoch + ", window " + window + ", row " + taken;
    }

    /** The same rows taken elsewhere. */
    WindowPosition at(int newEpoch, long newWindow, int newTaken) {
        return new WindowPosition(inputs, contents, newEpoch, newWindow, newTaken);
    }
}
