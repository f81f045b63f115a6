package io.batchweave.cli;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.TextRows;
import io.batchweave.cli.rows.feed.OrderedInputs;
import io.batchweave.cli.texts.InputUnits;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Goes on from committed progress in inputs of text. Text files and plain JSON lines in their own
 * order are read as text, of any length; everything else as rows.
 */
final class TextSources implements Function<Bytes, SliceSource> {
    private final Inputs inputs;
    private final IngestSettings settings;
    private final RowOrder order;
    private final BufferAllocator allocator;
    private OrderedInputs ordered;

    TextSources(Inputs inputs, IngestSettings settings, RowOrder order, BufferAllocator allocator) {
        this.inputs = inputs;
        this.settings = settings;
        this.order = order;
        this.allocator = allocator;
    }

    @Override
    public SliceSource apply(Bytes progress) {
        boolean isNew = progress.length() == 0;
        boolean needRows = TextRows.areNeededFor(inputs);
        if (isNew ? needRows || !order.isAsGiven() : TextRows.wrote(progress)) {
            return new TokenSlices(rows(progress), allocator);
        }
        order.checkSame(RowOrder.AS_GIVEN);
        if (needRows) {
            throw new InvalidRequestException(
                    "Cannot resume the ingest: what is committed was read as text, and now there is"
                            + " an input of rows; ingest it by another producer");
        }
        return new TokenSlices(
                isNew
                        ? InputUnits.start(inputs, settings)
                        : InputUnits.resume(inputs, settings, progress),
                allocator);
    }

    private TokenSource rows(Bytes progress) {
        if (ordered == null) {
            ordered = TextRows.ordered(inputs, settings.fields(), order, allocator);
        }
        return progress.length() == 0
                ? TextRows.start(ordered, settings)
                : TextRows.resume(ordered, settings, progress);
    }
}
