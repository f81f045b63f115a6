package io.batchweave.cli.rows;

import com.github.luben.zstd.ZstdInputStream;
import io.batchweave.cli.ingest.Input;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** The lines of a file, also of one that is compressed by gzip or Zstandard. */
final class Lines implements AutoCloseable {
    /** Most bytes in a line, which is parsed whole. */
    static final int LINE_BYTES_MAX = 1 << 24;

    private static final int READ_BYTES = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final byte[] read = new byte[READ_BYTES];
    private int readAt;
    private int readEnd;
    private byte[] line = new byte[1 << 12];
    private int start;
    private int end;
    private long offset;
    private long number;

    private Lines(InputStream in, long offset, long lines) {
        this.in = in;
        this.offset = offset;
        this.number = lines;
    }

    /** All lines of an input. */
    static Lines open(Input input, RowInput kind) throws IOException {
        return open(input, kind, Stretch.of(0, 0));
    }

    /** The lines from the first of a stretch on. */
    static Lines open(Input input, RowInput kind, Stretch from) throws IOException {
        SeekableByteChannel channel = input.open().position(from.offset());
        InputStream file = Channels.newInputStream(channel);
        try {
            return new Lines(plain(file, kind), from.offset(), from.lines());
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The lines in the bytes of an input of this kind. */
    static Lines of(InputStream bytes, RowInput kind) throws IOException {
        return new Lines(plain(bytes, kind), 0, 0);
    }

    private static InputStream plain(InputStream file, RowInput kind) throws IOException {
        return switch (kind) {
            case JSONL_GZIP -> new GZIPInputStream(file, READ_BYTES);
            case JSONL_ZSTD -> new ZstdInputStream(file);
            default -> file;
        };
    }

    /** Reads the next line, without its end, and says whether there was one. */
    boolean next() throws IOException {
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
        if (end + count > LINE_BYTES_MAX) {
            throw new IOException(
                    "it is longer than " + LINE_BYTES_MAX + " bytes, the most a line may have");
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
    boolean isBlank() {
        for (int at = start; at < end; at++) {
            if (line[at] != ' ' && line[at] != '\t' && line[at] != '\r') {
                return false;
            }
        }
        return true;
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
