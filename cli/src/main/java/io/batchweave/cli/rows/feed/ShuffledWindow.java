package io.batchweave.cli.rows.feed;

import io.batchweave.cli.order.Span;
import io.batchweave.cli.rows.arrow.ArrowColumns;
import io.batchweave.cli.rows.arrow.ArrowCopy;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.errors.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** A window that is loaded whole and given out in random order. */
final class ShuffledWindow implements RowWindow {
    /** Most bytes of values in a window. */
    static final long BYTES_MAX = 1L << 30;

    /** Rows are kept in chunks of about so many bytes, so that growing copies little. */
    private static final long CHUNK_BYTES = 1 << 22;

    private final IndexedInputs inputs;
    private final SliceRows slice;
    private final SliceRows loading;
    private final long bytesMax;
    private final SpanRows rows;
    private final NavigableMap<Integer, Chunk> chunks = new TreeMap<>();
    private final NavigableMap<Integer, Span> spans = new TreeMap<>();
    private int epoch;
    private int[] order = {};
    private int next;
    private RowOrigin origin;

    /** Rows of the window, and how they get into the slice. */
    private record Chunk(VectorSchemaRoot rows, ArrowCopy copy) {}

    /**
     * Appends to {@code slice}, which stays the caller's.
     *
     * @param loading another slice of the same columns; it is closed with this
     */
    ShuffledWindow(IndexedInputs inputs, SliceRows slice, SliceRows loading, long bytesMax) {
        this.inputs = inputs;
        this.slice = slice;
        this.loading = loading;
        this.bytesMax = bytesMax;
        this.rows = new SpanRows(inputs, loading);
        slice.readFrom(() -> origin.describe());
    }

    @Override
    public void open(int newEpoch, long window, int taken) {
        letGo();
        epoch = newEpoch;
        List<Span> places = inputs.plan().spans(newEpoch, window);
        int before = 0;
        for (Span span : places) {
            spans.put(before, span);
            before += (int) span.rows();
        }
        rows.goTo(places);
        load();
        order = inputs.plan().permutation(newEpoch, window);
        next = taken;
    }

    private void load() {
        long bytes = 0;
        int before = 0;
        int count = 0;
        while (rows.read()) {
            count++;
            if (bytes + loading.bytes() > bytesMax) {
                throw tooLarge(count);
            }
            if (loading.bytes() >= CHUNK_BYTES) {
                bytes += loading.bytes();
                keep(before);
                before = count;
            }
        }
        keep(before);
    }

    private void keep(int before) {
        VectorSchemaRoot taken = loading.detach();
        List<FieldVector> vectors = taken.getFieldVectors();
        ArrowColumns columns = new ArrowColumns(new DictionaryProvider.MapDictionaryProvider());
        chunks.put(before, new Chunk(taken, columns.fields(slice.columns(), vectors)));
    }

    private InvalidRequestException tooLarge(int count) {
        return new InvalidRequestException(
                "Cannot shuffle in windows of this size: the first "
                        + count
                        + " rows of one take more than "
                        + bytesMax
                        + " bytes, the most that is kept in memory; use another producer with"
                        + " --shuffle-window "
                        + Math.max(1, count / 2)
                        + " or fewer");
    }

    @Override
    public RowOrigin append() {
        int index = order[next++];
        origin = originOf(index);
        var chunk = chunks.floorEntry(index);
        chunk.getValue().copy().copy(index - chunk.getKey());
        slice.endRow();
        return origin;
    }

    private RowOrigin originOf(int index) {
        var span = spans.floorEntry(index);
        long inStretch = span.getValue().from() + index - span.getKey();
        return inputs.stretch(span.getValue().stretch()).origin(epoch, inStretch);
    }

    private void letGo() {
        List<Chunk> old = new ArrayList<>(chunks.values());
        chunks.clear();
        spans.clear();
        loading.clear();
        old.forEach(chunk -> chunk.rows().close());
    }

    @Override
    public void close() {
        rows.close();
        letGo();
        loading.close();
    }
}
