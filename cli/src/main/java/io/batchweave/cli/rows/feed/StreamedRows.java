package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Finished;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.RowReader;
import java.util.function.Function;

/** The rows of inputs one after the other. Each is looked at only when its turn comes. */
final class StreamedRows implements RowFeed {
    private final Inputs inputs;
    private final Function<Input, RowInput> kinds;
    private final SliceRows slice;
    private Finished finished;
    private Input input;
    private RowInput kind;
    private Fingerprint fingerprint;
    private RowReader reader;
    private long rows;

    private StreamedRows(Inputs inputs, Function<Input, RowInput> kinds, SliceRows slice) {
        this.inputs = inputs;
        this.kinds = kinds;
        this.slice = slice;
    }

    /** Begins at the first row; {@code slice} stays the caller's. */
    static RowFeed start(Inputs inputs, Function<Input, RowInput> kinds, SliceRows slice) {
        StreamedRows rows = new StreamedRows(inputs, kinds, slice);
        rows.open(Finished.NOTHING);
        return rows;
    }

    /** Goes on behind committed rows, if what lies before them is as it was. */
    static RowFeed resume(
            Inputs inputs,
            Function<Input, RowInput> kinds,
            SliceRows slice,
            StreamPosition committed) {
        RowResumption resumption = new RowResumption(inputs, kinds, committed);
        resumption.check();
        StreamedRows rows = new StreamedRows(inputs, kinds, slice);
        rows.open(committed.finished());
        try {
            rows.pass(committed.rows(), resumption);
            return rows;
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    @Override
    public boolean read() {
        while (!reader.read()) {
            if (finished.inputs() + 1 == inputs.size()) {
                return false;
            }
            Finished next = finished.with(input.name(), fingerprint.size());
            reader.close();
            open(next);
        }
        rows++;
        return true;
    }

    @Override
    public RowOrigin origin() {
        return new RowOrigin(input, kind, fingerprint, 0, rows - 1);
    }

    @Override
    public RowPosition position() {
        return new StreamPosition(
                finished, input.name(), fingerprint.size(), fingerprint.digest(), rows);
    }

    private void open(Finished before) {
        finished = before;
        input = inputs.file(before.inputs());
        kind = kinds.apply(input);
        fingerprint = inputs.fingerprint(input);
        reader = kind.open(input, slice);
        rows = 0;
    }

    private void pass(long count, RowResumption resumption) {
        rows = reader.leap(count);
        if (rows < count) {
            throw resumption.refusal("it has only " + rows + " rows");
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
