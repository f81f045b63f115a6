package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.inputs.Origin;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharsetDecoder;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The bytes of one input, from its beginning: a window to look into before they are taken, and the
 * digest of all that were. Memory is that of the largest window asked for.
 */
final class InputBytes implements AutoCloseable {
    /** Also bounds the direct memory that the platform keeps for each thread that reads. */
    private static final int READ_BYTES = 1 << 18;

    private static final int BYTE_ORDER_MARK_BYTES = 3;

    private final Input input;
    private final SeekableByteChannel channel;
    private final long size;
    private final MessageDigest digest = Bytes.sha256();
    private final CharsetDecoder decoder = UTF_8.newDecoder();
    private ByteBuffer window;
    private boolean ended;
    private long offset;
    private long line = 1;
    private long rows;
    private boolean isInRow;
    private Optional<Fingerprint> fingerprint = Optional.empty();

    private InputBytes(Input input, SeekableByteChannel channel, long size) {
        this.input = input;
        this.channel = channel;
        this.size = size;
        this.window = ByteBuffer.allocate((int) Math.min(READ_BYTES, size + 1)).limit(0);
    }

    static InputBytes open(Input input) {
        try {
            SeekableByteChannel channel = input.open();
            return new InputBytes(input, channel, channel.size());
        } catch (IOException e) {
            throw input.unreadable(e);
        }
    }

    Input input() {
        return input;
    }

    /** Bytes the file had when it was opened. */
    long size() {
        return size;
    }

    /** Bytes taken so far. */
    long offset() {
        return offset;
    }

    /** The line of the next byte, counted from 1. */
    long line() {
        return line;
    }

    /** The lines that ended so far and were not blank, taken as lines of JSON. */
    long rows() {
        return rows;
    }

    /** What tells of the row that has so many before it. The first time, all bytes are read. */
    Origin origin(long row) {
        Fingerprint known = fingerprint.orElseGet(() -> Fingerprint.of(input));
        fingerprint = Optional.of(known);
        return Origin.of(input, known, 0, row);
    }

    /** SHA-256 of the bytes taken so far. */
    Bytes digest() {
        return digestWith(0);
    }

    /** SHA-256 of the bytes taken so far and the {@code count} that follow. */
    Bytes digestWith(int count) {
        try {
            MessageDigest ahead = (MessageDigest) digest.clone();
            ByteBuffer bytes = peek(count);
            ahead.update(bytes.limit(Math.min(count, bytes.remaining())));
            return Bytes.digestOf(ahead);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The platform's SHA-256 can be cloned", e);
        }
    }

    /**
     * A view of the next bytes, valid until the next call: at least {@code count} of them, fewer
     * only if the input ends before.
     */
    ByteBuffer peek(int count) {
        try {
            reserve(count);
            while (window.remaining() < count && !ended) {
                read();
            }
        } catch (IOException e) {
            throw input.unreadable(e);
        }
        return window.slice();
    }

    /** Takes {@code count} bytes of those last seen. */
    void take(int count) {
        ByteBuffer taken = window.slice().limit(count);
        digest.update(taken.duplicate());
        passLines(taken);
        window.position(window.position() + count);
        offset += count;
    }

    /** Takes all bytes up to {@code end}, or all there are. */
    void takeUntil(long end) {
        while (offset < end && peek(1).hasRemaining()) {
            take((int) Math.min(window.remaining(), end - offset));
        }
    }

    /** Takes the mark that some editors write before the first character of UTF-8. */
    void takeByteOrderMark() {
        if (offset > 0) {
            return;
        }
        ByteBuffer start = peek(BYTE_ORDER_MARK_BYTES);
        if (start.remaining() >= BYTE_ORDER_MARK_BYTES
                && start.get(0) == (byte) 0xEF
                && start.get(1) == (byte) 0xBB
                && start.get(2) == (byte) 0xBF) {
            take(BYTE_ORDER_MARK_BYTES);
        }
    }

    /**
     * Decodes as many of the next {@code count} bytes as {@code chars} has room for, and takes
     * none.
     *
     * @return the bytes decoded
     */
    int decode(int count, CharBuffer chars) {
        ByteBuffer bytes = peek(count);
        boolean all = ended && bytes.remaining() <= count;
        bytes.limit(Math.min(count, bytes.remaining()));
        if (decoder.reset().decode(bytes, chars, all).isError()) {
            ByteBuffer valid = window.slice().limit(bytes.position());
            throw new InvalidRequestException(
                    "Cannot read "
                            + input
                            + " line "
                            + (line + newlines(valid))
                            + ": the byte at offset "
                            + (offset + bytes.position())
                            + " is not valid UTF-8; convert the file to UTF-8");
        }
        return bytes.position();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw input.unreadable(e);
        }
    }

    private void reserve(int count) {
        if (count <= window.capacity() - window.position()) {
            return;
        }
        if (count <= window.capacity()) {
            window.compact().flip();
        } else {
            int doubled = (int) Math.min(2L * window.capacity(), Integer.MAX_VALUE - 8);
            window = ByteBuffer.allocate(Math.max(count, doubled)).put(window).flip();
        }
    }

    private void read() throws IOException {
        int filled = window.limit();
        int most = Math.min(window.capacity() - filled, READ_BYTES);
        int read = channel.read(window.duplicate().limit(filled + most).position(filled));
        if (read < 0) {
            ended = true;
        } else {
            window.limit(filled + read);
        }
    }

    /** A line of JSON begins with ASCII, so that a byte order mark makes none. */
    private void passLines(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            byte value = bytes.get(at);
            if (value == '\n') {
                line++;
                rows += isInRow ? 1 : 0;
                isInRow = false;
            } else if (value >= 0 && !JsonLine.isSpace(value)) {
                isInRow = true;
            }
        }
    }

    private static long newlines(ByteBuffer bytes) {
        long count = 0;
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                count++;
            }
        }
        return count;
    }
}
