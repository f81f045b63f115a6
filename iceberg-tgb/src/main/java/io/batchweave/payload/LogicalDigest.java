package io.batchweave.payload;

import io.batchweave.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What a slice says, as one SHA-256: field ids, types, values and nulls, and nothing of how Arrow
 * happens to lay them out. Names, documentation and whether a field is required do not count.
 *
 * <p>The digest is taken over these bytes; numbers are little-endian, and integers are signed.
 *
 * <ol>
 *   <li>the eight ASCII characters {@code BWSLICE1}
 *   <li>rows (8 bytes), top-level fields (4 bytes)
 *   <li>then every field, before its children and in the order of the schema; lists have the child
 *       element, maps the children key and value:
 *       <ul>
 *         <li>field id (4 bytes), children (4 bytes)
 *         <li>length of the type's name (4 bytes), and the name in ASCII: {@code boolean}, {@code
 *             int}, {@code long}, {@code float}, {@code double}, {@code decimal(P,S)}, {@code
 *             date}, {@code time}, {@code timestamp}, {@code timestamptz}, {@code timestamp_ns},
 *             {@code timestamptz_ns}, {@code string}, {@code fixed[L]} (also of a uuid, with 16),
 *             {@code binary}, {@code struct}, {@code list}, {@code map}
 *         <li>slots (8 bytes): at the top the rows; for a child of a struct those of the struct;
 *             below a list or map the elements of its present slots only, in order
 *         <li>absent slots (8 bytes): those that are null, or lie in a struct whose slot is absent
 *         <li>if any is absent: one bit per slot, 1 if present
 *         <li>boolean: one bit per slot, 0 if absent
 *         <li>numbers, dates, times, decimals, fixed: Arrow's fixed number of bytes per slot, zeros
 *             if absent
 *         <li>string, binary, list, map: 4 bytes 0, and for every slot 4 bytes: where its value
 *             ends if all present values lie side by side from 0 on; an absent one has length 0
 *         <li>string, binary: the bytes of all present values
 *       </ul>
 * </ol>
 *
 * Bits fill bytes from the lowest bit on, and the last byte is filled up with zeros. Floating-point
 * values count by their bits: -0 is not 0, and one NaN need not be another.
 */
public final class LogicalDigest {
    private static final String MAGIC = "BWSLICE1";

    private LogicalDigest() {}

    /**
     * The digest of a slice.
     *
     * @return 32 bytes
     * @throws io.batchweave.errors.InvalidRequestException naming the column, if the slice is not
     *     of this schema
     */
    public static Bytes of(PayloadSchema schema, VectorSchemaRoot slice) {
        List<Content> contents = Content.of(schema, slice);
        MessageDigest sha256 = Bytes.sha256();
        Gather out = new Gather(sha256::update);
        out.put(MAGIC.getBytes(StandardCharsets.US_ASCII));
        out.putLong(slice.getRowCount());
        out.putInt(schema.columns().size());
        for (Content content : contents) {
            if (content.column().id() != Column.NO_ID) {
                add(content, out);
            }
        }
        out.flush();
        return Bytes.digestOf(sha256);
    }

    private static void add(Content content, Gather out) {
        Column column = content.column();
        byte[] type = column.type().getBytes(StandardCharsets.US_ASCII);
        out.putInt(column.id());
        out.putInt(column.fields());
        out.putInt(type.length);
        out.put(type);
        out.putLong(content.slots().count());
        out.putLong(content.slots().absent());
        if (content.slots().absent() > 0) {
            new Piece.Presence(content.slots()).writeTo(out);
        }
        content.pieces().forEach(piece -> piece.writeTo(out));
    }
}
