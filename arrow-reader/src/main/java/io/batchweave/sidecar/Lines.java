package io.batchweave.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Optional;

/** Lines of text over a channel. One thread reads, one writes. */
final class Lines implements AutoCloseable {
    /** So many bytes has a line at most, without its line feed. */
    static final int BYTES_MAX = 1 << 20;

    private static final int BUFFER_BYTES = 8_192;

    private final ByteChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    Lines(ByteChannel channel) {
        this.channel = channel;
    }

    /**
     * The next line; empty at the end.
     *
     * @throws LineTooLongException if it does not end in time; what follows is no line either
     * @throws IOException if the connection broke
     */
    Optional<String> read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return Optional.of(line.toString(UTF_8));
                }
                if (line.size() == BYTES_MAX) {
                    throw new LineTooLongException(BYTES_MAX);
                }
                line.write(next);
            }
            received.clear();
            int got = channel.read(received);
            received.flip();
            if (got < 0) {
                return Optional.empty();
            }
        }
    }

    /** Writes a line. */
    void write(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
