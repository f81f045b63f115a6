package io.batchweave.cli.rows.text;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** How the lines of an input are compressed. */
public enum Compression {
    NONE,
    GZIP,
    ZSTD;

    private static final int READ_BYTES = 1 << 16;

    /** What these bytes are once they are decompressed. */
    InputStream plain(InputStream bytes) throws IOException {
        return switch (this) {
            case NONE -> bytes;
            case GZIP -> new GZIPInputStream(bytes, READ_BYTES);
            case ZSTD -> new ZstdInputStream(bytes);
        };
    }
}
