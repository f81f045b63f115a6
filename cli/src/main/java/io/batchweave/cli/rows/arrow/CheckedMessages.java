package io.batchweave.cli.rows.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;

/**
 * Messages of a stream in a file. One that says it is longer than the file is never begun. What
 * lies in a file is a stream only with its end: a writer that died, or a copy that was cut between
 * two messages, leaves no other sign; and rows that follow the end would be passed over.
 */
final class CheckedMessages extends MessageChannelReader {
    private static final int CONTINUATION = -1;

    private final SeekableByteChannel channel;
    private boolean ended;

    CheckedMessages(SeekableByteChannel channel, BufferAllocator allocator) {
        super(new ReadChannel(channel), allocator);
        this.channel = channel;
    }

    @Override
    public MessageResult readNext() throws IOException {
        if (ended) {
            return super.readNext(); // nothing, however often it is asked for more
        }
        ByteBuffer prefix = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long start = channel.position();
        while (prefix.hasRemaining() && channel.read(prefix) > 0) {
            // Reads may be short.
        }
        channel.position(start);
        if (prefix.position() < Integer.BYTES) {
            throw new IOException(
                    "the stream ends at byte "
                            + channel.size()
                            + " without its end marker, as one that was cut, or whose writer was not"
                            + " closed");
        }
        boolean continues = prefix.getInt(0) == CONTINUATION;
        int length = continues ? prefix.getInt(4) : prefix.getInt(0);
        long end = start + (continues ? 2L : 1L) * Integer.BYTES;
        if (length == 0 && end < channel.size()) {
            throw new IOException(
                    "the stream ends at byte "
                            + end
                            + " and "
                            + (channel.size() - end)
                            + " bytes follow, as of a second one; write one stream a file");
        }
        ended = length == 0;
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
