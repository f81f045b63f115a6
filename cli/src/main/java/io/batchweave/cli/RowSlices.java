package io.batchweave.cli;

import io.batchweave.cli.inputs.RowRun;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Slices of rows; where the inputs end, they have none. */
final class RowSlices implements SliceSource {
    private final RowSource source;
    private VectorSchemaRoot slice;

    RowSlices(RowSource source) {
        this.source = source;
    }

    @Override
    public boolean next() {
        slice = source.next();
        return slice.getRowCount() > 0;
    }

    @Override
    public VectorSchemaRoot slice() {
        return slice;
    }

    @Override
    public List<Count> counts() {
        return List.of(new Count("rows", slice.getRowCount()));
    }

    @Override
    public List<RowRun> origins() {
        return source.runs();
    }

    @Override
    public Bytes progress() {
        return source.progress();
    }

    @Override
    public void close() {
        source.close();
    }
}
