package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Slices from one Arrow IPC stream in a pipe, a record batch each. Where the stream has the
 * dataset's own types, the received memory is the slice; else rows are copied column by column.
 */
public final class PipedSlices implements AutoCloseable {
    /** Most memory, outside of the heap, for one record batch and the dictionaries. */
    private static final long BATCH_BYTES_MAX = 2L << 30;

    private final BufferAllocator allocator;
    private final PayloadSchema schema;
    private final String place;
    private ArrowReader reader;
    private SliceRows rows;
    private VectorSchemaRoot slice;
    private int batch = -1;
    private int row;

    /**
     * @param place what is read, for refusals
     */
    private PipedSlices(PayloadSchema schema, BufferAllocator parent, String place) {
        this.schema = schema;
        this.allocator = parent.newChildAllocator("piped", 0, BATCH_BYTES_MAX);
        this.place = place;
    }

    /**
     * Reads the schema.
     *
     * @param parent where the memory of one slice is taken from, twice where it is converted
     * @param place what is read, for refusals: the batch 7
     * @throws io.batchweave.errors.InvalidRequestException naming the column, if it does not fit
     */
    public static PipedSlices open(
            InputPipe pipe, PayloadSchema schema, BufferAllocator parent, String place) {
        PipedSlices slices = new PipedSlices(schema, parent, place);
        try {
            Guarded.call(slices::where, () -> slices.start(pipe));
            return slices;
        } catch (RuntimeException e) {
            slices.close();
            throw e;
        }
    }

    private boolean start(InputPipe pipe) throws IOException {
        reader = CheckedBatches.ofPipe(pipe, allocator);
        List<Field> fields = reader.getVectorSchemaRoot().getSchema().getFields();
        if (isTaken(fields)) {
            slice = VectorSchemaRoot.create(schema.arrow(), allocator);
        } else {
            rows = new SliceRows(schema, allocator);
            rows.readFrom(this::where);
            plan();
        }
        return true;
    }

    /** The values of a list that is a tensor are counted, which only the copy does. */
    private boolean isTaken(List<Field> fields) {
        return areSame(schema.arrow().getFields(), fields)
                && schema.tensors().keySet().stream()
                        .noneMatch(id -> schema.iceberg().findType(id).isListType());
    }

    private static boolean areSame(List<Field> ours, List<Field> theirs) {
        boolean same = ours.size() == theirs.size();
        for (int i = 0; same && i < ours.size(); i++) {
            same = ours.get(i).getName().equals(theirs.get(i).getName());
            same &= isSame(ours.get(i), theirs.get(i));
        }
        return same;
    }

    /** What the children of lists and maps are called differs from writer to writer. */
    private static boolean isSame(Field ours, Field theirs) {
        if (!ours.getType().equals(theirs.getType()) || theirs.getDictionary() != null) {
            return false;
        }
        List<Field> children = theirs.getChildren();
        return ours.getType() instanceof ArrowType.List
                ? children.size() == 1 && isSame(ours.getChildren().get(0), children.get(0))
                : areSame(ours.getChildren(), children);
    }

    private ArrowCopy plan() throws IOException {
        return new ArrowColumns(reader)
                .fields(rows.columns(), reader.getVectorSchemaRoot().getFieldVectors());
    }

    /** Goes to the next slice; false at the stream's end, behind which the pipe then is. */
    public boolean next() {
        batch++;
        row = 0;
        return Guarded.call(this::where, this::load);
    }

    private boolean load() throws IOException {
        if (!reader.loadNextBatch()) {
            return false;
        }
        VectorSchemaRoot loaded = reader.getVectorSchemaRoot();
        if (rows == null) {
            try (ArrowRecordBatch same = new VectorUnloader(loaded).getRecordBatch()) {
                new VectorLoader(slice).load(same);
            }
        } else {
            copy(loaded.getRowCount());
        }
        return true;
    }

    private void copy(int count) throws IOException {
        rows.clear();
        ArrowCopy copy = plan();
        copy.check(count);
        for (row = 0; row < count; row++) {
            copy.copy(row);
            rows.endRow();
        }
    }

    /** The slice it is at; valid until the next one. */
    public VectorSchemaRoot slice() {
        return rows == null ? slice : rows.root();
    }

    private String where() {
        return place + (batch < 0 ? "" : " record batch " + batch + " row " + row);
    }

    /** The pipe stays open. What a library forgot of a damaged message goes with the process. */
    @Override
    public void close() {
        try {
            if (slice != null) {
                slice.close();
            }
            if (rows != null) {
                rows.close();
            }
            if (reader != null) {
                reader.close(false);
            }
        } catch (IOException e) {
            throw new IllegalStateException("Nothing is written here", e);
        }
        if (allocator.getAllocatedMemory() == 0) {
            allocator.close();
        }
    }
}
