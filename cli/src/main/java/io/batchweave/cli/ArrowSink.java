package io.batchweave.cli;

import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Writes each slice as a record batch of one Arrow IPC stream. */
final class ArrowSink implements StepSink {
    private final VectorSchemaRoot root;
    private final ArrowStreamWriter writer;
    private boolean open = true;

    ArrowSink(Log log, BufferAllocator allocator, WritableByteChannel out) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        this.root = VectorSchemaRoot.create(schema.arrow(), allocator);
        this.writer = new ArrowStreamWriter(root, null, out);
    }

    @Override
    public void take(StepBatch step) {
        print(
                () -> {
                    for (SliceBatch slice : step.slices()) {
                        write(slice.rows());
                    }
                });
    }

    private void write(VectorSchemaRoot slice) throws IOException {
        try (ArrowRecordBatch rows = new VectorUnloader(slice).getRecordBatch()) {
            new VectorLoader(root).load(rows);
            writer.writeBatch();
        }
    }

    /** Something that is written. */
    private interface Printing {
        void run() throws IOException;
    }

    private void print(Printing printing) {
        try {
            printing.run();
        } catch (IOException e) {
            open = false;
            if (!WatchedOutput.isClosedPipe(e)) {
                throw new UnavailableException(
                        "Cannot write to standard output: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void end() {
        if (open) {
            print(writer::end);
        }
    }

    @Override
    public void close() {
        root.close();
    }
}
