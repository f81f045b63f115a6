package io.batchweave.cli.rows.feed;

import io.batchweave.cli.order.Span;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Reads rows at given places of the inputs; of these one is open at a time. */
final class SpanRows implements AutoCloseable {
    private final IndexedInputs inputs;
    private final SliceRows slice;
    private final Deque<Span> spans = new ArrayDeque<>();
    private IndexedInputs.Stretched in;
    private RowReader reader;
    private long row;
    private long left;

    /** Appends to {@code slice}, which stays the caller's. */
    SpanRows(IndexedInputs inputs, SliceRows slice) {
        this.inputs = inputs;
        this.slice = slice;
    }

    /** Goes on with these places. */
    void goTo(List<Span> places) {
        spans.clear();
        spans.addAll(places);
        left = 0;
    }

    /** Appends the next row; without a place that is left there is none. */
    boolean read() {
        if (left == 0 && spans.isEmpty()) {
            return false;
        }
        if (left == 0) {
            begin(spans.remove());
        }
        if (!reader.read()) {
            throw changed();
        }
        row++;
        left--;
        return true;
    }

    private void begin(Span span) {
        IndexedInputs.Stretched next = inputs.stretch(span.stretch());
        long first = next.before() + span.from();
        if (in == null || !next.in().input().equals(in.in().input())) {
            close();
            reader = next.in().kind().open(next.in().input(), slice);
            row = 0;
        }
        boolean isAhead = row <= first && row >= next.before();
        if (!isAhead) {
            reader.seek(next.stretch());
            row = next.before();
        }
        in = next;
        if (reader.leap(first - row) < first - row) {
            throw changed();
        }
        row = first;
        left = span.rows();
    }

    /** Where the last row comes from. */
    RowOrigin origin(int epoch) {
        return in.origin(epoch, row - 1 - in.before());
    }

    private RuntimeException changed() {
        return Guarded.refusal(
                in.in().input(),
                "row "
                        + row
                        + " was there when its rows were counted and is not now; let its writer"
                        + " finish, then run this again");
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
