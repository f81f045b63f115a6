package io.batchweave.cli.rows.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;

/** Messages of a stream in a file; one that says it is longer than the file is never begun. */
final class CheckedMessages extends MessageChannelReader {
    private static final int CONTINUATION = -1;

    private final SeekableByteChannel channel;

    CheckedMessages(SeekableByteChannel channel, BufferAllocator allocator) {
        super(new ReadChannel(channel), allocator);
        this.channel = channel;
    }

    @Override
    public MessageResult readNext() throws IOException {
        ByteBuffer prefix = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long start = channel.position();
        while (prefix.hasRemaining() && channel.read(prefix) > 0) {
            // Reads may be short.
        }
        channel.position(start);
        int length = prefix.getInt(0) == CONTINUATION ? prefix.getInt(4) : prefix.getInt(0);
        if (length < 0 || length > channel.size() - start) {
            throw new IOException(
                    "the message at byte "
                            + start
                            + " says it has "
                            + length
                            + " bytes of metadata");
        }
        return super.readNext();
    }
}
