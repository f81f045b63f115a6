package io.batchweave.cli.rows;

import com.github.luben.zstd.ZstdInputStream;
import io.batchweave.cli.ingest.Input;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** The lines of a file, also of one that is compressed by gzip or Zstandard. */
final class Lines implements AutoCloseable {
    /** Most bytes in a line, which is parsed whole. */
    static final int LINE_BYTES_MAX = 1 << 24;

    private static final int READ_BYTES = 1 << 16;

    private final InputStream in;
    private byte[] line = new byte[1 << 12];
    private int length;
    private long number;

    private Lines(InputStream in) {
        this.in = in;
    }

    static Lines open(Input input, RowInput kind) throws IOException {
        InputStream file = Files.newInputStream(input.path());
        try {
            InputStream plain =
                    switch (kind) {
                        case JSONL_GZIP -> new GZIPInputStream(file, READ_BYTES);
                        case JSONL_ZSTD -> new ZstdInputStream(file);
                        default -> file;
                    };
            return new Lines(new BufferedInputStream(plain, READ_BYTES));
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Reads the next line, without its end, and says whether there was one. */
    boolean next() throws IOException {
        length = 0;
        number++;
        int next = in.read();
        if (next < 0) {
            return false;
        }
        while (next >= 0 && next != '\n') {
            if (length == line.length) {
                line = Arrays.copyOf(line, 2 * line.length);
            }
            if (length == LINE_BYTES_MAX) {
                throw new IOException(
                        "it is longer than " + LINE_BYTES_MAX + " bytes, the most a line may have");
            }
            line[length++] = (byte) next;
            next = in.read();
        }
        return true;
    }

    /** The line's bytes, and others behind them. */
    byte[] bytes() {
        return line;
    }

    int length() {
        return length;
    }

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
