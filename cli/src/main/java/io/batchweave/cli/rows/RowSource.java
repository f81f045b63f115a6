package io.batchweave.cli.rows;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.RowRun;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.feed.OrderedInputs;
import io.batchweave.cli.rows.feed.RowFeed;
import io.batchweave.cli.rows.feed.RowInput;
import io.batchweave.model.Bytes;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of files, dealt to slices in their order, with the exact position between two of them.
 * Used by one thread.
 */
public final class RowSource implements AutoCloseable {
    private final RowOrder order;
    private final RowSettings settings;
    private final SliceRows slice;
    private final RowFeed feed;
    private final RowRun.Joined runs = new RowRun.Joined();

    private RowSource(RowOrder order, RowSettings settings, SliceRows slice, RowFeed feed) {
        this.order = order;
        this.settings = settings;
        this.slice = slice;
        this.feed = feed;
    }

    /**
     * Finds the files, folders (with every file below them whose name's ending is known) and
     * patterns that {@code arguments} name, by paths or URIs.
     *
     * @throws io.batchweave.errors.InvalidRequestException if an argument names no file, or two of
     *     them the same
     */
    public static Inputs inputs(Locations locations, List<String> arguments) {
        return Inputs.of(locations, arguments, RowInput::isReadFromFolders, RowInput.ENDINGS);
    }

    /**
     * Begins at the first row.
     *
     * @throws io.batchweave.errors.InvalidRequestException if the first input cannot be ingested
     */
    public static RowSource start(OrderedInputs inputs, RowSettings settings) {
        return open(inputs, settings, inputs::start);
    }

    /**
     * Goes on behind the last row of committed progress.
     *
     * @param progress what {@link #progress} gave
     * @throws io.batchweave.errors.InvalidRequestException if the settings, the order or what lies
     *     before the position have changed
     */
    public static RowSource resume(OrderedInputs inputs, RowSettings settings, Bytes progress) {
        RowProgress committed = RowProgress.decode(progress);
        settings.checkSame(committed.settings());
        return open(
                inputs,
                settings,
                slice -> inputs.resume(slice, committed.order(), committed.position()));
    }

    private static RowSource open(
            OrderedInputs inputs, RowSettings settings, Function<SliceRows, RowFeed> opener) {
        SliceRows slice = inputs.newSlice();
        try {
            return new RowSource(inputs.order(), settings, slice, opener.apply(slice));
        } catch (RuntimeException e) {
            slice.close();
            throw e;
        }
    }

    /**
     * The next rows; they are valid until the next call. A slice that is not full is the last with
     * rows in it: all that follow have none, so that every rank of the last batch gets one.
     *
     * @throws io.batchweave.errors.InvalidRequestException naming file, place and column, if an
     *     input is damaged or does not fit the schema
     */
    public VectorSchemaRoot next() {
        slice.clear();
        runs.clear();
        while (!settings.isFull(slice) && feed.read()) {
            runs.add(feed.origin().told(), 1);
        }
        return slice.root();
    }

    /** Where the rows of the last slice come from, in their order. */
    public List<RowRun> runs() {
        return runs.runs();
    }

    /**
     * Where it is, to be committed together with all slices given out so far and given to {@link
     * #resume} later. Equal inputs and slices give equal bytes.
     */
    public Bytes progress() {
        return new RowProgress(settings, order, feed.position()).encode();
    }

    /** Where it is, for people. */
    public String position() {
        return feed.position().describe();
    }

    @Override
    public void close() {
        feed.close();
        slice.close();
    }
}
