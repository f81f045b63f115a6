package io.batchweave.cli.rows.feed;

import io.batchweave.cli.order.Span;
import io.batchweave.cli.rows.cells.SliceRows;
import java.util.ArrayList;
import java.util.List;

/** A window in the order of the inputs, of which nothing has to be kept in memory. */
final class StreamedWindow implements RowWindow {
    private final IndexedInputs inputs;
    private final SpanRows rows;
    private int epoch;

    StreamedWindow(IndexedInputs inputs, SliceRows slice) {
        this.inputs = inputs;
        this.rows = new SpanRows(inputs, slice);
    }

    @Override
    public void open(int newEpoch, long window, int taken) {
        epoch = newEpoch;
        List<Span> left = new ArrayList<>();
        long passed = taken;
        for (Span span : inputs.plan().spans(newEpoch, window)) {
            if (passed < span.rows()) {
                left.add(span.without(passed));
            }
            passed = Math.max(0, passed - span.rows());
        }
        rows.goTo(left);
    }

    @Override
    public RowOrigin append() {
        rows.read();
        return rows.origin(epoch);
    }

    @Override
    public void close() {
        rows.close();
    }
}
