package io.batchweave.payload;

import com.google.flatbuffers.FlatBufferBuilder;
import io.batchweave.model.Slice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** Slices whose metadata says something else than the writer would. */
final class Tampered {
    private Tampered() {}

    /** Changes a pair of numbers in the metadata: a node's, or where a buffer lies. */
    static byte[] pair(byte[] bytes, long first, long second, long newFirst, long newSecond) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (buffer.getLong(at) != first || buffer.getLong(at + 8) != second) {
            at += 4;
        }
        buffer.putLong(at, newFirst).putLong(at + 8, newSecond);
        return buffer.array();
    }

    /** The same slice, but claiming to be compressed. */
    static byte[] compressed(byte[] bytes, Slice slice) {
        int metadata = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        int body = bytes.length - 8 - metadata;
        Message message = Message.getRootAsMessage(ByteBuffer.wrap(bytes).slice(8, metadata));
        RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
        byte[] claim = metadata(batch, slice.rows(), body);
        int length = (int) Messages.aligned(8 + claim.length) - 8;
        return ByteBuffer.allocate(8 + length + body)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(Messages.CONTINUATION)
                .putInt(length)
                .put(claim)
                .position(8 + length)
                .put(bytes, 8 + metadata, body)
                .array();
    }

    private static byte[] metadata(RecordBatch batch, long rows, long body) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        RecordBatch.startNodesVector(builder, batch.nodesLength());
        for (int i = batch.nodesLength() - 1; i >= 0; i--) {
            FieldNode node = batch.nodes(i);
            FieldNode.createFieldNode(builder, node.length(), node.nullCount());
        }
        int nodes = builder.endVector();
        RecordBatch.startBuffersVector(builder, batch.buffersLength());
        for (int i = batch.buffersLength() - 1; i >= 0; i--) {
            Buffer buffer = batch.buffers(i);
            Buffer.createBuffer(builder, buffer.offset(), buffer.length());
        }
        int buffers = builder.endVector();
        int compression =
                BodyCompression.createBodyCompression(
                        builder, CompressionType.ZSTD, BodyCompressionMethod.BUFFER);
        int header = RecordBatch.createRecordBatch(builder, rows, nodes, buffers, compression, 0);
        ByteBuffer message =
                MessageSerializer.serializeMessage(
                        builder, MessageHeader.RecordBatch, header, body, IpcOption.DEFAULT);
        byte[] taken = new byte[message.remaining()];
        message.get(taken);
        return taken;
    }
}
