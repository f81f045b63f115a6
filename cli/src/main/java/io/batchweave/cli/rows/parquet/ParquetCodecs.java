package io.batchweave.cli.rows.parquet;

import com.github.luben.zstd.ZstdInputStream;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.batchweave.errors.InvalidRequestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * Decompresses Parquet pages by the libraries that Parquet itself uses. Parquet's own factory is
 * passed by: it needs all of Hadoop, and believes whatever size a page says it has.
 */
final class ParquetCodecs implements CompressionCodecFactory {
    private final HeapShare heap;
    private final Supplier<String> place;

    /**
     * Codecs for pages that this much of the heap is given to.
     *
     * @param place what is being read, for the message
     */
    ParquetCodecs(HeapShare heap, Supplier<String> place) {
        this.heap = heap;
        this.place = place;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return switch (codec) {
            case UNCOMPRESSED -> new Decompressor((page, size) -> page);
            case SNAPPY -> new Decompressor(ParquetCodecs::snappy);
            case GZIP ->
                    new Decompressor(
                            (page, size) ->
                                    exactly(
                                            new GZIPInputStream(new ByteArrayInputStream(page)),
                                            size));
            case ZSTD ->
                    new Decompressor(
                            (page, size) ->
                                    exactly(
                                            new ZstdInputStream(new ByteArrayInputStream(page)),
                                            size));
            case LZ4_RAW -> new Decompressor(ParquetCodecs::lz4);
            case LZO, BROTLI, LZ4 ->
                    throw new UnsupportedOperationException(
                            "compression " + codec + "; use zstd, snappy, gzip or lz4_raw");
        };
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException("files are only read here");
    }

    @Override
    public void release() {
        // Nothing is kept between pages.
    }

    private static byte[] exactly(InputStream in, int size) throws IOException {
        try (in) {
            byte[] bytes = in.readNBytes(size);
            if (in.read() >= 0) {
                throw new IOException("a page is larger than the " + size + " bytes it says");
            }
            return bytes;
        }
    }

    private static byte[] snappy(byte[] page, int size) throws IOException {
        int length = Snappy.uncompressedLength(page);
        if (length != size) {
            throw new IOException("a page has " + length + " bytes where it says " + size);
        }
        return Snappy.uncompress(page);
    }

    private static byte[] lz4(byte[] page, int size) {
        byte[] bytes = new byte[size];
        int length = new Lz4Decompressor().decompress(page, 0, page.length, bytes, 0, size);
        return length == size ? bytes : Arrays.copyOf(bytes, length);
    }

    @FunctionalInterface
    private interface Codec {
        byte[] decompress(byte[] page, int size) throws IOException;
    }

    private final class Decompressor implements BytesInputDecompressor {
        private final Codec codec;

        Decompressor(Codec codec) {
            this.codec = codec;
        }

        @Override
        public BytesInput decompress(BytesInput page, int size) throws IOException {
            return BytesInput.from(plain(page.toInputStream().readAllBytes(), size));
        }

        @Override
        public void decompress(ByteBuffer page, int pageSize, ByteBuffer plain, int size)
                throws IOException {
            byte[] bytes = new byte[pageSize];
            page.get(bytes);
            plain.put(plain(bytes, size));
        }

        private byte[] plain(byte[] page, int size) throws IOException {
            if (size < 0) {
                throw new IOException("a page says that it has " + size + " bytes");
            }
            if (!heap.holds(size)) {
                throw new InvalidRequestException(
                        "Cannot ingest "
                                + place.get()
                                + ": a page of it has "
                                + size
                                + " bytes, and "
                                + heap.remedy(size)
                                + ", or write smaller pages");
            }
            byte[] plain = codec.decompress(page, size);
            if (plain.length != size) {
                throw new IOException(
                        "a page has " + plain.length + " bytes where it says " + size);
            }
            return plain;
        }

        @Override
        public void release() {
            // Nothing is kept between pages.
        }
    }
}
