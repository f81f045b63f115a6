package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Prints a line for each step. */
final class LineSink implements StepSink {
    private final PayloadSchema schema;
    private final Output output;

    LineSink(Log log, Output output) {
        this.schema = PayloadSchema.parse(log.state().dataset().schema());
        this.output = output;
    }

    @Override
    public void take(StepBatch step) {
        long rows = 0;
        long bytes = 0;
        List<Map<String, Object>> slices = new ArrayList<>();
        StringJoiner digests = new StringJoiner(" ");
        for (SliceBatch slice : step.slices()) {
            String digest = LogicalDigest.of(schema, slice.rows()).toHex();
            rows += slice.slice().rows();
            bytes += slice.slice().length();
            slices.add(
                    Output.object(
                            "index", slice.index(),
                            "rows", slice.slice().rows(),
                            "bytes", slice.slice().length(),
                            "digest", digest));
            digests.add(slice.index() + ":" + digest);
        }
        output.print(
                Output.object(
                        "step",
                        step.step(),
                        "slices",
                        slices,
                        "receipt",
                        step.cursor().receipt().toHex(),
                        "cursor",
                        step.cursor().toString()),
                "step " + step.step() + "  rows " + rows + "  bytes " + bytes + "  " + digests);
        output.flush();
    }

    @Override
    public boolean isOpen() {
        return output.isOpen();
    }

    @Override
    public void end() {
        output.flush();
    }

    @Override
    public void close() {}
}
