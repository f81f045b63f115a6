package io.batchweave.payload;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * One column of one slice in canonical form. It borrows the vector's memory and copies nothing.
 *
 * @param pieces its buffers after validity, in Arrow's order
 */
record Content(Column column, Slots slots, List<Piece> pieces) {
    Content {
        pieces = List.copyOf(pieces);
    }

    /**
     * The columns of a slice at all depths, each before its children.
     *
     * @throws InvalidRequestException naming the column, if the slice is not of this schema, misses
     *     a value that is required, or has a vector that cannot be right
     */
    static List<Content> of(PayloadSchema schema, VectorSchemaRoot slice) {
        List<Content> into = new ArrayList<>();
        List<FieldVector> vectors = slice.getFieldVectors();
        Slots rows = Slots.first(slice.getRowCount());
        matchAll("slice", schema.columns(), vectors);
        for (int i = 0; i < vectors.size(); i++) {
            if (vectors.get(i).getValueCount() != slice.getRowCount()) {
                throw refusal(
                        schema.columns().get(i),
                        "its vector holds %d rows and the slice %d; set the row count"
                                .formatted(vectors.get(i).getValueCount(), slice.getRowCount()));
            }
            collect(schema.columns().get(i), vectors.get(i), rows, into);
        }
        return into;
    }

    /** Nulls in Arrow's sense: a required field has none, also under a struct that is null. */
    long nulls() {
        return column.required() ? 0 : slots.absent();
    }

    /** All buffers of the record batch, validity first. */
    List<Piece> buffers() {
        List<Piece> buffers = new ArrayList<>();
        buffers.add(nulls() == 0 ? new Piece.Nothing() : new Piece.Presence(slots));
        buffers.addAll(pieces);
        return buffers;
    }

    static InvalidRequestException refusal(Column column, String why) {
        return new InvalidRequestException("Cannot take column " + column + ": " + why);
    }

    private static void collect(
            Column column, FieldVector vector, Slots parent, List<Content> into) {
        if (parent.end() > vector.getValueCount()) {
            throw refusal(
                    column,
                    "%d values are referred to, and its vector holds %d; set its value count"
                            .formatted(parent.end(), vector.getValueCount()));
        }
        List<ArrowBuf> buffers = vector.getFieldBuffers();
        Slots slots = present(column, window(column, buffers.get(0), bits(parent)), parent);
        switch (column.form()) {
            case BITS -> into.add(booleans(column, slots, buffers));
            case FIXED -> into.add(fixed(column, slots, buffers));
            case BYTES -> into.add(strings(column, slots, buffers));
            case LIST -> {
                Offsets offsets = offsets(column, slots, buffers);
                into.add(new Content(column, slots, List.of(new Piece.Ends(slots, offsets))));
                collectChildren(column, vector, slots.elements(offsets), into);
            }
            case STRUCT -> {
                into.add(new Content(column, slots, List.of()));
                collectChildren(column, vector, slots, into);
            }
        }
    }

    private static Content booleans(Column column, Slots slots, List<ArrowBuf> buffers) {
        ByteBuffer values = window(column, buffers.get(1), bits(slots));
        return new Content(column, slots, List.of(new Piece.Booleans(slots, values)));
    }

    private static Content fixed(Column column, Slots slots, List<ArrowBuf> buffers) {
        ByteBuffer values = window(column, buffers.get(1), (long) slots.end() * column.width());
        Piece piece = new Piece.Fixed(slots, values, column.width());
        return new Content(column, slots, List.of(piece));
    }

    private static Content strings(Column column, Slots slots, List<ArrowBuf> buffers) {
        Offsets offsets = offsets(column, slots, buffers);
        ByteBuffer values = window(column, buffers.get(2), offsets.end());
        Piece ends = new Piece.Ends(slots, offsets);
        return new Content(column, slots, List.of(ends, new Piece.Strings(slots, offsets, values)));
    }

    private static void collectChildren(
            Column column, FieldVector vector, Slots slots, List<Content> into) {
        List<FieldVector> vectors = vector.getChildrenFromFields();
        matchAll(column.path(), column.children(), vectors);
        for (int i = 0; i < vectors.size(); i++) {
            collect(column.children().get(i), vectors.get(i), slots, into);
        }
    }

    /** The slots with the column's own nulls taken out. */
    private static Slots present(Column column, ByteBuffer validity, Slots parent) {
        Slots slots = parent.masked(validity);
        long nulls = slots.absent() - parent.absent();
        if (nulls == 0) {
            return parent;
        }
        if (column.required()) {
            throw refusal(
                    column,
                    "it is required and %d of its values are null; fill them".formatted(nulls));
        }
        return slots;
    }

    private static Offsets offsets(Column column, Slots slots, List<ArrowBuf> buffers) {
        long bytes = slots.end() == 0 ? 0 : (slots.end() + 1L) * Integer.BYTES;
        return Offsets.of(column, slots, window(column, buffers.get(1), bytes));
    }

    private static long bits(Slots slots) {
        return Bits.bytes(slots.end());
    }

    /** The first bytes of a vector's buffer, where they lie. */
    private static ByteBuffer window(Column column, ArrowBuf buffer, long bytes) {
        if (bytes > buffer.capacity()) {
            throw refusal(
                    column,
                    "its vector needs a buffer of %d bytes and has %d; set its value count"
                            .formatted(bytes, buffer.capacity()));
        }
        if (bytes > Integer.MAX_VALUE) {
            throw refusal(
                    column,
                    "its slice lies in a buffer of %d bytes, at most %d can be taken; copy it out"
                            .formatted(bytes, Integer.MAX_VALUE));
        }
        return buffer.nioBuffer(0, (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void matchAll(String parent, List<Column> columns, List<FieldVector> vectors) {
        for (int i = 0; i < Math.min(columns.size(), vectors.size()); i++) {
            match(columns.get(i), vectors.get(i).getField());
        }
        if (vectors.size() < columns.size()) {
            throw refusal(columns.get(vectors.size()), "the slice does not have it; add it");
        }
        if (vectors.size() > columns.size()) {
            throw new InvalidRequestException(
                    "Cannot take "
                            + parent
                            + ": it has the column "
                            + described(vectors.get(columns.size()).getField())
                            + ", which the schema does not; leave it out");
        }
    }

    /** Fields are matched by id, in the order of the schema; what they are called is no matter. */
    private static void match(Column column, Field field) {
        String id = field.getMetadata().getOrDefault(Column.ID_KEY, "");
        if (column.id() != Column.NO_ID && !id.equals(Integer.toString(column.id()))) {
            throw refusal(
                    column,
                    "in its place the slice has "
                            + described(field)
                            + "; build slices from the Arrow schema of the dataset");
        }
        if (!field.getType().equals(column.field().getType()) || field.getDictionary() != null) {
            throw refusal(
                    column,
                    "its type is "
                            + column.field().getType()
                            + " and in the slice "
                            + field.getType()
                            + (field.getDictionary() == null ? "" : " by dictionary")
                            + "; convert it");
        }
    }

    private static String described(Field field) {
        String id = field.getMetadata().get(Column.ID_KEY);
        return Names.printable(field.getName())
                + (id == null
                        ? " without a field id (" + Column.ID_KEY + ")"
                        : " (field id " + Names.printable(id) + ")");
    }
}
