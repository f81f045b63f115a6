package io.batchweave.cli;

import io.batchweave.cli.inputs.RowRun;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a producer publishes, slice by slice, from inputs that it can find its place in again. */
interface SliceSource extends AutoCloseable {
    /**
     * Moves to the next slice.
     *
     * @return whether anything of the inputs is in it; a slice where they have ended is one too
     */
    boolean next();

    /** The slice, valid until the next. */
    VectorSchemaRoot slice();

    /** What the slice holds, by the names of what is counted; always the same names. */
    List<Count> counts();

    /** The rows or documents whose content is in the slice, in their order. */
    List<RowRun> origins();

    /** Where it is, to be committed with the slices so far. */
    Bytes progress();

    @Override
    void close();
}
