package io.batchweave.cli.rows.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.rows.reader.Stretch;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;

/** The lines of a file, also of one that is compressed by gzip or Zstandard. */
public final class Lines implements AutoCloseable {
    private static final int READ_BYTES = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Input input;
    private final InputStream in;
    private final byte[] read = new byte[READ_BYTES];
    private int readAt;
    private int readEnd;
    private byte[] line = new byte[1 << 12];
    private int start;
    private int end;
    private long offset;
    private long number;

    private Lines(Input input, InputStream in, long offset, long lines) {
        this.input = input;
        this.in = in;
        this.offset = offset;
        this.number = lines;
    }

    /** All lines of an input. */
    public static Lines open(Input input, Compression compression) throws IOException {
        return open(input, compression, Stretch.of(0, 0));
    }

    /** The lines from the first of a stretch on. */
    static Lines open(Input input, Compression compression, Stretch from) throws IOException {
        SeekableByteChannel channel = input.open().position(from.offset());
        InputStream file = Channels.newInputStream(channel);
        try {
            return new Lines(input, compression.plain(file), from.offset(), from.lines());
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The lines of an input, in its bytes as they are read by others. */
    static Lines of(Input input, InputStream bytes, Compression compression) throws IOException {
        return new Lines(input, compression.plain(bytes), 0, 0);
    }

    /** Reads the next line, without its end, and says whether there was one. */
    public boolean next() throws IOException {
        start = 0;
        end = 0;
        number++;
        if (readAt == readEnd && !fill()) {
            return false;
        }
        do {
            int from = readAt;
            while (readAt < readEnd && read[readAt] != '\n') {
                readAt++;
            }
            append(from, readAt - from);
            if (readAt < readEnd) {
                readAt++;
                offset++;
                break;
            }
        } while (fill());
        start = number == 1 ? byteOrderMark(line, end) : 0;
        return true;
    }

    private void append(int from, int count) throws IOException {
        if (end + count > JsonLine.BYTES_MAX) {
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + place()
                            + ": it is longer than "
                            + JsonLine.BYTES_MAX
                            + " bytes, the most that a line may have; split it");
        }
        if (end + count > line.length) {
            line = Arrays.copyOf(line, Math.max(end + count, 2 * line.length));
        }
        System.arraycopy(read, from, line, end, count);
        end += count;
        offset += count;
    }

    private boolean fill() throws IOException {
        readAt = 0;
        readEnd = Math.max(0, in.read(read));
        return readEnd > 0;
    }

    /** Bytes of the mark that some editors write before the first character. */
    static int byteOrderMark(byte[] bytes, int length) {
        int mark = BYTE_ORDER_MARK.length;
        return length >= mark && Arrays.equals(bytes, 0, mark, BYTE_ORDER_MARK, 0, mark) ? mark : 0;
    }

    /** Whether nothing is in the line that would be part of a JSON value. */
    public boolean isBlank() {
        for (int at = start; at < end; at++) {
            if (!JsonLine.isSpace(line[at])) {
                return false;
            }
        }
        return true;
    }

    /** The line, without the white space around it. */
    public String text() {
        return new String(line, start, end - start, UTF_8).strip();
    }

    /** The line's bytes from {@link #start} to {@link #end}, and others around them. */
    byte[] bytes() {
        return line;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Where the line is, for people. */
    String place() {
        return input + " line " + number;
    }

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    /** Bytes of all lines so far, decompressed, with their ends. */
    long offset() {
        return offset;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
