package io.batchweave.cli.rows.arrow;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;

/**
 * Messages of a stream in a pipe, up to its end marker and no further. A pipe that ends before it
 * is no end: its writer has died.
 */
final class PipedMessages extends MessageChannelReader {
    private static final int CONTINUATION = -1;

    /** No schema that a dataset can have comes near it. */
    private static final int METADATA_BYTES_MAX = 64 << 20;

    private final InputPipe pipe;

    PipedMessages(InputPipe pipe, BufferAllocator allocator) {
        super(new ReadChannel(pipe), allocator);
        this.pipe = pipe;
    }

    @Override
    public MessageResult readNext() throws IOException {
        ByteBuffer prefix = pipe.peek(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (prefix.remaining() < 2 * Integer.BYTES) {
            throw new InvalidRequestException(
                    "Cannot read an Arrow IPC stream from standard input: it ends without its end"
                            + " marker; close the writer of the stream");
        }
        int length = prefix.getInt(Integer.BYTES);
        if (prefix.getInt(0) != CONTINUATION || length < 0 || length > METADATA_BYTES_MAX) {
            throw new InvalidRequestException(
                    "Cannot read an Arrow IPC stream from standard input: what comes is no message"
                            + " of one; write a stream right behind the line feed of its request");
        }
        return super.readNext();
    }
}
