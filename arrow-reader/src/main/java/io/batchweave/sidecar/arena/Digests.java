package io.batchweave.sidecar.arena;

import io.batchweave.model.Slice;
import io.batchweave.payload.SliceReader;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;

/** Checks adjacent slices against their digests while their bytes pass. */
final class Digests {
    private final Iterator<Slice> slices;
    private final String object;
    private final CRC32C crc32c = new CRC32C();
    private Slice slice;
    private long left;

    /**
     * @param object the name of what they come from, for messages
     */
    Digests(List<Slice> slices, String object) {
        this.slices = slices.iterator();
        this.object = object;
        begin();
    }

    private void begin() {
        slice = slices.next();
        left = slice.length();
        crc32c.reset();
    }

    /**
     * Takes the next bytes.
     *
     * @throws io.batchweave.errors.CorruptException if a slice that ends in them is not what was
     *     published
     */
    void take(ByteBuffer piece) {
        int end = piece.limit();
        while (piece.position() < end) {
            if (left == 0) {
                begin();
            }
            piece.limit((int) Math.min(end, piece.position() + left));
            left -= piece.remaining();
            crc32c.update(piece);
            piece.limit(end);
            if (left == 0) {
                SliceReader.verify((int) crc32c.getValue(), slice, object);
            }
        }
    }
}
