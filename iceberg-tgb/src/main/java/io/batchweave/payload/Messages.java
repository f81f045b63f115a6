package io.batchweave.payload;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** The metadata of an Arrow IPC file, as flatbuffers. */
final class Messages {
    /** What messages, bodies and buffers are aligned to, in bytes. */
    static final int ALIGNMENT = 64;

    /** What stands before the metadata of a message: a marker and a length, of 4 bytes each. */
    static final int PREFIX_BYTES = 8;

    /** The marker at the beginning of a message. */
    static final int CONTINUATION = -1;

    private Messages() {}

    static ByteBuffer schema(Schema schema) {
        return MessageSerializer.serializeMetadata(schema, IpcOption.DEFAULT);
    }

    /** A record batch whose buffers lie in its body one after the other, each aligned. */
    static ByteBuffer recordBatch(long rows, List<Content> contents, List<Piece> buffers) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        RecordBatch.startNodesVector(builder, contents.size());
        for (int i = contents.size() - 1; i >= 0; i--) {
            Content content = contents.get(i);
            FieldNode.createFieldNode(builder, content.slots().count(), content.nulls());
        }
        int nodes = builder.endVector();
        RecordBatch.startBuffersVector(builder, buffers.size());
        long offset = bodyBytes(buffers);
        for (int i = buffers.size() - 1; i >= 0; i--) {
            long length = buffers.get(i).length();
            offset -= aligned(length);
            Buffer.createBuffer(builder, offset, length);
        }
        int extents = builder.endVector();
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, rows);
        RecordBatch.addNodes(builder, nodes);
        RecordBatch.addBuffers(builder, extents);
        int batch = RecordBatch.endRecordBatch(builder);
        return MessageSerializer.serializeMessage(
                builder, MessageHeader.RecordBatch, batch, bodyBytes(buffers), IpcOption.DEFAULT);
    }

    /** The body that these buffers make. */
    static long bodyBytes(List<Piece> buffers) {
        return buffers.stream().mapToLong(piece -> aligned(piece.length())).sum();
    }

    static ByteBuffer footer(Schema schema, List<ArrowBlock> blocks) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        builder.finish(new ArrowFooter(schema, List.of(), blocks).writeTo(builder));
        return builder.dataBuffer();
    }

    /** The length with its padding. */
    static long aligned(long length) {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
