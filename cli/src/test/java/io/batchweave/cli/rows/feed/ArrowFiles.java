package io.batchweave.cli.rows.feed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;

/** Writes Arrow files and streams as other programs do. */
final class ArrowFiles {
    private ArrowFiles() {}

    static void writeFile(
            Path path, VectorSchemaRoot rows, CompressionUtil.CodecType codec, int times)
            throws IOException {
        try (FileChannel out = open(path);
                ArrowWriter writer =
                        new ArrowFileWriter(
                                rows,
                                null,
                                out,
                                Map.of(),
                                IpcOption.DEFAULT,
                                factory(codec),
                                codec,
                                Optional.empty())) {
            write(writer, times);
        }
    }

    static void writeStream(
            Path path, VectorSchemaRoot rows, CompressionUtil.CodecType codec, int times)
            throws IOException {
        try (FileChannel out = open(path);
                ArrowWriter writer =
                        new ArrowStreamWriter(
                                rows, null, out, IpcOption.DEFAULT, factory(codec), codec)) {
            write(writer, times);
        }
    }

    private static CompressionCodec.Factory factory(CompressionUtil.CodecType codec) {
        return codec == CompressionUtil.CodecType.NO_COMPRESSION
                ? NoCompressionCodec.Factory.INSTANCE
                : CommonsCompressionFactory.INSTANCE;
    }

    private static void write(ArrowWriter writer, int times) throws IOException {
        writer.start();
        for (int i = 0; i < times; i++) {
            writer.writeBatch();
        }
        writer.end();
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
