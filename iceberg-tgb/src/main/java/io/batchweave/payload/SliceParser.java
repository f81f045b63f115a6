package io.batchweave.payload;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Slice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Finds the buffers of a slice, believing nothing: every extent is checked against the bytes there
 * are, and every offset against what it points into, before anything is handed on. Memory is never
 * asked for by a number that was read.
 */
final class SliceParser {
    /** Marks the place of a validity buffer that a column without nulls does not have. */
    static final Extent ALL_PRESENT = new Extent(0, 0);

    private final ByteBuffer bytes;
    private final Slice slice;
    private final String object;
    private final int bodyOffset;
    private final RecordBatch batch;
    private final List<ArrowFieldNode> nodes = new ArrayList<>();
    private final List<Extent> extents = new ArrayList<>();
    private int widest;

    /** A part of the slice, in bytes from its first. */
    record Extent(int offset, int length) {}

    /**
     * What a slice was found to hold.
     *
     * @param extents where the buffers lie; {@link #ALL_PRESENT} for a validity that is not there
     * @param widest most slots of a column without nulls
     */
    record Found(List<ArrowFieldNode> nodes, List<Extent> extents, int widest) {}

    private SliceParser(ByteBuffer bytes, Slice slice, String object) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.slice = slice;
        this.object = object;
        this.bodyOffset = Messages.PREFIX_BYTES + metadataBytes();
        this.batch = batch();
    }

    /**
     * Finds the buffers of these columns.
     *
     * @param bytes exactly those of the slice
     * @throws CorruptException if they are no record batch of these columns
     */
    static Found parse(List<Column> columns, ByteBuffer bytes, Slice slice, String object) {
        try {
            SliceParser parser = new SliceParser(bytes, slice, object);
            for (Column column : columns) {
                parser.take(column, (int) slice.rows(), List.of());
            }
            parser.demandAllWasTaken();
            return new Found(parser.nodes, parser.extents, parser.widest);
        } catch (IndexOutOfBoundsException e) {
            // Flatbuffers have no verifier in Java; its reads are checked by the buffer they go to.
            throw new CorruptException(
                    text(slice, object, "the metadata points outside itself"), e);
        }
    }

    private int metadataBytes() {
        demand(slice.rows() <= Integer.MAX_VALUE, "it has more rows than a vector");
        demand(slice.length() >= Messages.ALIGNMENT, "they are too few");
        demand(isAligned(slice.offset()), "they do not begin at a multiple of 64");
        demand(bytes.getInt(0) == Messages.CONTINUATION, "no message begins there");
        int length = bytes.getInt(Integer.BYTES);
        demand(
                length > 0
                        && length <= slice.length() - Messages.PREFIX_BYTES
                        && isAligned((long) Messages.PREFIX_BYTES + length),
                "the length of the metadata is wrong");
        return length;
    }

    private RecordBatch batch() {
        Message message =
                Message.getRootAsMessage(
                        bytes.slice(Messages.PREFIX_BYTES, bodyOffset - Messages.PREFIX_BYTES));
        demand(
                message.headerType() == MessageHeader.RecordBatch
                        && message.version() == MetadataVersion.V5,
                "the message is no record batch of metadata version 5");
        demand(
                message.bodyLength() == slice.length() - bodyOffset,
                "the length of the body is wrong");
        RecordBatch found = (RecordBatch) message.header(new RecordBatch());
        demand(found != null, "the message is empty");
        demand(found.length() == slice.rows(), "the commit counts other rows");
        demand(
                found.compression() == null && found.variadicBufferCountsLength() == 0,
                "the record batch is compressed, or of a kind no payload schema has");
        return found;
    }

    /**
     * Takes a column and those in it.
     *
     * @param outer which of the structs around each slot are there
     */
    private void take(Column column, int slots, List<ByteBuffer> outer) {
        demand(nodes.size() < batch.nodesLength(), column, "it is missing");
        FieldNode node = batch.nodes(nodes.size());
        long nulls = node.nullCount();
        demand(node.length() == slots, column, "the number of its values is wrong");
        demand(
                nulls >= 0 && nulls <= (column.required() ? 0 : slots),
                column,
                "the number of its nulls is wrong");
        nodes.add(new ArrowFieldNode(slots, nulls));
        List<ByteBuffer> present = takeValidity(column, slots, nulls, outer);
        switch (column.form()) {
            case BITS -> takeExtent(column, Bits.bytes(slots));
            case FIXED -> takeExtent(column, (long) slots * column.width());
            case BYTES -> takeExtent(column, takeOffsets(column, slots, present));
            case LIST -> takeChildren(column, takeOffsets(column, slots, present), List.of());
            case STRUCT -> takeChildren(column, slots, present);
        }
    }

    private void takeChildren(Column column, int slots, List<ByteBuffer> outer) {
        for (Column child : column.children()) {
            take(child, slots, outer);
        }
    }

    /** Takes which slots hold a value, and adds it to what is known of those around them. */
    private List<ByteBuffer> takeValidity(
            Column column, int slots, long nulls, List<ByteBuffer> outer) {
        Extent extent = takeExtent(column, nulls == 0 ? 0 : Bits.bytes(slots));
        if (nulls == 0) {
            extents.set(extents.size() - 1, ALL_PRESENT);
            widest = Math.max(widest, slots);
            return outer;
        }
        ByteBuffer validity =
                bytes.slice(extent.offset(), extent.length()).order(ByteOrder.LITTLE_ENDIAN);
        // Arrow's libraries differ in which of the two they believe.
        demand(
                Bits.count(validity, slots) == slots - nulls,
                column,
                "its nulls are not as many as it says");
        return Stream.concat(outer.stream(), Stream.of(validity)).toList();
    }

    /** Takes offsets that start at 0 and never fall, and says where they end. */
    private int takeOffsets(Column column, int slots, List<ByteBuffer> present) {
        Extent extent = takeExtent(column, (slots + 1L) * Integer.BYTES);
        int end = bytes.getInt(extent.offset());
        demand(end == 0, column, "its offsets do not start at 0");
        for (int slot = 1; slot <= slots; slot++) {
            int next = bytes.getInt(extent.offset() + slot * Integer.BYTES);
            demand(next >= end, column, "its offsets fall");
            demand(
                    column.size() == 0
                            || next - end == column.size()
                            || isAbsent(present, slot - 1),
                    column,
                    "a value is not of the tensor's size");
            end = next;
        }
        return end;
    }

    private static boolean isAbsent(List<ByteBuffer> present, int slot) {
        return present.stream().anyMatch(bits -> (bits.get(slot / 8) >> (slot % 8) & 1) == 0);
    }

    private Extent takeExtent(Column column, long needed) {
        demand(extents.size() < batch.buffersLength(), column, "it misses a buffer");
        Buffer buffer = batch.buffers(extents.size());
        long offset = buffer.offset();
        long length = buffer.length();
        long body = slice.length() - bodyOffset;
        demand(
                offset >= 0 && length >= 0 && length <= body && offset <= body - length,
                column,
                "one of its buffers lies outside of the body");
        demand(isAligned(offset), column, "one of its buffers is not aligned");
        demand(length >= needed, column, "one of its buffers is too short");
        Extent extent = new Extent((int) (bodyOffset + offset), (int) length);
        extents.add(extent);
        return extent;
    }

    private void demandAllWasTaken() {
        demand(
                nodes.size() == batch.nodesLength() && extents.size() == batch.buffersLength(),
                "the record batch has more columns than the schema");
    }

    private static boolean isAligned(long offset) {
        return offset % Messages.ALIGNMENT == 0;
    }

    private void demand(boolean holds, Column column, String otherwise) {
        if (!holds) {
            demand(false, "column " + column + ": " + otherwise);
        }
    }

    private void demand(boolean holds, String otherwise) {
        if (!holds) {
            throw new CorruptException(text(slice, object, otherwise));
        }
    }

    /** What every complaint about a slice says. */
    static String text(Slice slice, String object, String why) {
        return "Cannot read bytes %d to %d of %s: %s; restore the object or skip its step"
                .formatted(slice.offset(), slice.offset() + slice.length() - 1, object, why);
    }
}
