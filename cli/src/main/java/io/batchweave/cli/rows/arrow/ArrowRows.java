package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.reader.Stretch;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;

/** The rows of an Arrow IPC file or stream, a record batch at a time. */
public final class ArrowRows implements RowReader {
    /** Most memory, outside of the heap, for one record batch and the dictionaries. */
    private static final long BATCH_BYTES_MAX = 2L << 30;

    /** What a damaged file may make the library take before it is found out. */
    private static final long LEAST_BYTES_MAX = 64L << 20;

    /** How many times as large as a file a record batch of it may be, once decompressed. */
    private static final int EXPANSION_MAX = 256;

    private final Input input;
    private final SliceRows slice;
    private final BufferAllocator allocator;
    private final Opener opener;
    private ArrowReader reader;
    private ArrowCopy row;
    private int batch;
    private int at;
    private int rows;
    private boolean damaged = true;

    private ArrowRows(Input input, SliceRows slice, Opener opener) {
        this.input = input;
        this.slice = slice;
        this.opener = opener;
        this.allocator = new RootAllocator(bytesMax(input));
    }

    private static long bytesMax(Input input) {
        long size = Math.min(input.size(), BATCH_BYTES_MAX);
        return Math.min(BATCH_BYTES_MAX, LEAST_BYTES_MAX + EXPANSION_MAX * size);
    }

    public static RowReader openFile(Input input, SliceRows slice) {
        return new ArrowRows(input, slice, CheckedBatches::ofFile).opened();
    }

    public static RowReader openStream(Input input, SliceRows slice) {
        return new ArrowRows(input, slice, CheckedBatches::ofStream).opened();
    }

    @FunctionalInterface
    private interface Opener {
        ArrowReader open(SeekableByteChannel channel, BufferAllocator allocator);
    }

    private ArrowRows opened() {
        slice.readFrom(this::place);
        try {
            Guarded.call(this::place, this::openReader);
            damaged = false;
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private boolean openReader() throws IOException {
        reader = opener.open(input.open(), allocator);
        checkCounted(reader.getVectorSchemaRoot());
        row = plan();
        batch = 0;
        return true;
    }

    /** Rows of no bytes could be any number, and would never end. */
    private void checkCounted(VectorSchemaRoot root) {
        if (root.getFieldVectors().stream().allMatch(each -> each instanceof NullVector)) {
            throw Guarded.refusal(
                    input, "it has only columns of type null; leave it out, or add a column");
        }
    }

    private ArrowCopy plan() throws IOException {
        List<FieldVector> vectors = reader.getVectorSchemaRoot().getFieldVectors();
        return new ArrowColumns(reader).fields(slice.columns(), vectors);
    }

    @Override
    public boolean read() {
        return reading(this::readRow);
    }

    private boolean readRow() throws IOException {
        while (at == rows) {
            if (!nextBatch()) {
                return false;
            }
        }
        row.copy(at);
        slice.endRow();
        at++;
        return true;
    }

    private boolean nextBatch() throws IOException {
        batch++;
        at = 0;
        rows = 0;
        return reader.loadNextBatch() && isLoaded();
    }

    private boolean isLoaded() throws IOException {
        // A batch may bring new dictionaries, and with them other vectors.
        row = plan();
        row.check(reader.getVectorSchemaRoot().getRowCount());
        rows = reader.getVectorSchemaRoot().getRowCount();
        return true;
    }

    @Override
    public long leap(long count) {
        return reading(
                () -> {
                    long passed = 0;
                    while (passed < count && (at < rows || nextBatch())) {
                        int step = (int) Math.min(count - passed, rows - at);
                        at += step;
                        passed += step;
                    }
                    return passed;
                });
    }

    @Override
    public List<Stretch> stretches() {
        return reading(
                () -> {
                    List<Stretch> stretches = new ArrayList<>();
                    while (nextBatch()) {
                        stretches.add(Stretch.of(stretches.size(), rows));
                    }
                    return stretches;
                });
    }

    @Override
    public void seek(Stretch stretch) {
        reading(
                () ->
                        reader instanceof ArrowFileReader file
                                ? seekBatch(file, stretch.index())
                                : readUpTo(stretch.index()));
    }

    private boolean seekBatch(ArrowFileReader file, int index) throws IOException {
        batch = index + 1;
        at = 0;
        rows = 0;
        return file.loadRecordBatch(file.getRecordBlocks().get(index)) && isLoaded();
    }

    /** A stream has no index, and may change its dictionaries on the way. */
    private boolean readUpTo(int index) throws IOException {
        if (batch > index) {
            reader.close();
            openReader();
        }
        boolean more = true;
        while (more && batch <= index) {
            more = nextBatch();
        }
        return more;
    }

    private <T> T reading(Guarded.Work<T> work) {
        damaged = true;
        T result = Guarded.call(this::place, work);
        damaged = false;
        return result;
    }

    private String place() {
        return input + (batch == 0 ? "" : " record batch " + (batch - 1) + " row " + at);
    }

    /**
     * The library forgets memory when a message turns out damaged, and an allocator that is closed
     * complains; that memory goes with the process.
     */
    @Override
    public void close() {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (IOException e) {
            throw input.unreadable(e);
        }
        if (!damaged) {
            allocator.close();
        }
    }
}
