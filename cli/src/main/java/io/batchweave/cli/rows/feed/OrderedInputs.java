package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.payload.PayloadSchema;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/** Inputs, and the order in which their rows are given out. Used by one thread. */
public final class OrderedInputs {
    private final Inputs inputs;
    private final Function<Input, RowInput> kinds;
    private final RowOrder order;
    private final PayloadSchema schema;
    private final BufferAllocator allocator;
    private IndexedInputs indexed;

    private OrderedInputs(
            Inputs inputs,
            Function<Input, RowInput> kinds,
            RowOrder order,
            PayloadSchema schema,
            BufferAllocator allocator) {
        this.inputs = inputs;
        this.kinds = kinds;
        this.order = order;
        this.schema = schema;
        this.allocator = allocator;
    }

    /**
     * Looks at every input, so that one whose columns do not fit is refused before anything is
     * published. If the order is not that of the inputs, all of them are read, once for all
     * sources.
     *
     * @param allocator of slices and windows
     * @throws io.batchweave.errors.InvalidRequestException naming the first that cannot be ingested
     */
    public static OrderedInputs of(
            Inputs inputs, RowOrder order, PayloadSchema schema, BufferAllocator allocator) {
        return checked(new OrderedInputs(inputs, RowInput::of, order, schema, allocator));
    }

    /** Inputs of text, each of whose rows has strings. */
    public static OrderedInputs ofTexts(
            Inputs inputs, RowOrder order, PayloadSchema schema, BufferAllocator allocator) {
        return checked(new OrderedInputs(inputs, RowInput::ofText, order, schema, allocator));
    }

    private static OrderedInputs checked(OrderedInputs ordered) {
        try (SliceRows slice = ordered.newSlice()) {
            if (ordered.order.isAsGiven()) {
                ordered.checkEach(slice);
            } else {
                ordered.indexed =
                        IndexedInputs.of(ordered.inputs, ordered.kinds, ordered.order, slice);
            }
        }
        return ordered;
    }

    private void checkEach(SliceRows slice) {
        for (int index = 0; index < inputs.size(); index++) {
            Input input = inputs.file(index);
            kinds.apply(input).open(input, slice).close();
        }
    }

    public RowOrder order() {
        return order;
    }

    /** An empty slice of the rows' columns, which the caller closes. */
    public SliceRows newSlice() {
        return new SliceRows(schema, allocator);
    }

    /** The rows from the first on, appended to {@code slice}. */
    public RowFeed start(SliceRows slice) {
        return start(slice, ShuffledWindow.BYTES_MAX);
    }

    /** The same, with windows of at most so many bytes. */
    RowFeed start(SliceRows slice, long windowBytesMax) {
        return order.isAsGiven()
                ? StreamedRows.start(inputs, kinds, slice)
                : PlannedRows.start(indexed, order, window(slice, windowBytesMax));
    }

    /**
     * The rows behind a committed position.
     *
     * @throws io.batchweave.errors.InvalidRequestException if what lies before it has changed
     */
    public RowFeed resume(SliceRows slice, RowOrder committed, RowPosition position) {
        order.checkSame(committed);
        if (position instanceof WindowPosition place) {
            return PlannedRows.resume(
                    indexed, order, window(slice, ShuffledWindow.BYTES_MAX), place);
        }
        return StreamedRows.resume(inputs, kinds, slice, (StreamPosition) position);
    }

    private RowWindow window(SliceRows slice, long bytesMax) {
        return order.isShuffled()
                ? new ShuffledWindow(indexed, slice, newSlice(), bytesMax)
                : new StreamedWindow(indexed, slice);
    }
}
