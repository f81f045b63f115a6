package io.batchweave.cli.rows.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/**
 * Bytes of a pipe, in which lines of text and Arrow streams follow each other: it can look at the
 * next bytes without taking them, and what it has not looked at goes straight to its reader.
 */
public final class InputPipe implements ReadableByteChannel {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ReadableByteChannel source;
    private final ByteBuffer ahead = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    /** Reads {@code source}, which is closed with this. */
    public InputPipe(ReadableByteChannel source) {
        this.source = source;
    }

    /**
     * Takes the bytes up to the next line feed, which is not among them; empty at the end. Without
     * its line feed a line is cut, and so is one that is longer than {@code bytesMax}.
     */
    public Optional<Line> line(int bytesMax) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (fill(1) && line.size() <= bytesMax) {
            while (ahead.hasRemaining()) {
                byte next = ahead.get();
                if (next == '\n') {
                    return Optional.of(new Line.Whole(line.toString(UTF_8)));
                }
                line.write(next);
            }
        }
        return line.size() == 0 ? Optional.empty() : Optional.of(new Line.Cut());
    }

    /** A line of text. */
    public sealed interface Line {
        /** One that ended with a line feed. */
        record Whole(String text) implements Line {}

        /** The pipe ended in it, or it was too long. */
        record Cut() implements Line {}
    }

    /** The next bytes, which stay; fewer at the end. */
    public ByteBuffer peek(int bytes) throws IOException {
        fill(bytes);
        return ahead.slice(ahead.position(), Math.min(bytes, ahead.remaining()));
    }

    /** Whether there are so many bytes ahead. */
    private boolean fill(int bytes) throws IOException {
        if (ahead.remaining() < bytes) {
            ahead.compact();
            boolean more = true;
            while (more && ahead.position() < bytes) {
                more = source.read(ahead) >= 0;
            }
            ahead.flip();
        }
        return ahead.remaining() >= bytes;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!ahead.hasRemaining() && target.remaining() >= BUFFER_BYTES) {
            return source.read(target);
        }
        if (!fill(1)) {
            return -1;
        }
        int bytes = Math.min(ahead.remaining(), target.remaining());
        target.put(ahead.slice(ahead.position(), bytes));
        ahead.position(ahead.position() + bytes);
        return bytes;
    }

    @Override
    public boolean isOpen() {
        return source.isOpen();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
