package io.batchweave.cli;

import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Writes each slice as a record batch of one Arrow IPC stream on standard output. */
final class ArrowSink implements StepSink {
    private final VectorSchemaRoot root;
    private final ArrowStreamWriter writer;
    private boolean open = true;

    ArrowSink(Log log, BufferAllocator allocator) {
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        FileChannel standardOutput = new FileOutputStream(FileDescriptor.out).getChannel();
        this.root = VectorSchemaRoot.create(schema.arrow(), allocator);
        this.writer = new ArrowStreamWriter(root, null, standardOutput);
    }

    @Override
    public void take(StepBatch step) {
        try {
            for (SliceBatch slice : step.slices()) {
                try (ArrowRecordBatch rows = new VectorUnloader(slice.rows()).getRecordBatch()) {
                    new VectorLoader(root).load(rows);
                    writer.writeBatch();
                }
            }
        } catch (IOException e) {
            open = false;
            if (!"Broken pipe".equals(e.getMessage())) {
                throw failed(e);
            }
        }
    }

    private static UnavailableException failed(IOException cause) {
        return new UnavailableException(
                "Cannot write the Arrow stream to standard output: " + cause.getMessage(), cause);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        try {
            if (open) {
                writer.end();
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            root.close();
        }
    }
}
