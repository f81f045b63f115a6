package io.batchweave.cli.rows.feed;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.xerial.snappy.Snappy;

/** Writes Parquet files as other programs do. */
public final class ParquetFiles {
    private ParquetFiles() {}

    public static Path write(Path path, MessageType schema, Group... rows) throws IOException {
        return writeGroups(path, schema, ParquetProperties.DEFAULT_ROW_GROUP_ROW_COUNT_LIMIT, rows);
    }

    static Path writeGroups(Path path, MessageType schema, int rowsInGroup, Group... rows)
            throws IOException {
        return write(path, schema, CompressionCodecName.UNCOMPRESSED, rowsInGroup, rows);
    }

    /** One row group, whose pages are compressed. */
    public static Path writeSnappy(Path path, MessageType schema, Group... rows)
            throws IOException {
        return write(path, schema, CompressionCodecName.SNAPPY, rows.length, rows);
    }

    private static Path write(
            Path path,
            MessageType schema,
            CompressionCodecName codec,
            int rowsInGroup,
            Group... rows)
            throws IOException {
        try (ParquetWriter<Group> writer =
                ExampleParquetWriter.builder(new LocalOutputFile(path))
                        .withConf(new PlainParquetConfiguration())
                        .withCodecFactory(new Codecs())
                        .withCompressionCodec(codec)
                        .withType(schema)
                        .withRowGroupRowCountLimit(rowsInGroup)
                        .build()) {
            for (Group row : rows) {
                writer.write(row);
            }
        }
        return path;
    }

    /** No compression, or Snappy, without Hadoop. */
    private static final class Codecs implements CompressionCodecFactory {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName codec) {
            return new BytesInputCompressor() {
                @Override
                public BytesInput compress(BytesInput bytes) throws IOException {
                    return codec == CompressionCodecName.SNAPPY
                            ? BytesInput.from(Snappy.compress(bytes.toInputStream().readAllBytes()))
                            : bytes;
                }

                @Override
                public CompressionCodecName getCodecName() {
                    return codec;
                }

                @Override
                public void release() {
                    // There is nothing to let go of.
                }
            };
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
            throw new UnsupportedOperationException("Only writes");
        }

        @Override
        public void release() {
            // There is nothing to let go of.
        }
    }
}
