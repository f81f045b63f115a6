package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.state.Segment;
import io.batchweave.state.SegmentRef;
import java.nio.ByteBuffer;

/** Segments as bytes. Equal segments give equal bytes. */
public final class SegmentCodec {
    /** Most bytes of a segment: of the one record that is as large as a commit, and of others. */
    public static final int BYTES_MAX = 32 << 20;

    private static final MetadataObject<Segment> OBJECT =
            new MetadataObject<>("segment.avsc", Segment.class, "segment");

    private SegmentCodec() {}

    /** The one object that this segment makes. */
    public static ByteBuffer encode(Segment segment) {
        return ByteBuffer.wrap(OBJECT.encode(segment));
    }

    /**
     * The segment in an object, whichever it is.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static Segment decode(ByteBuffer bytes, String name) {
        return OBJECT.decode(bytes, name);
    }

    /**
     * The segment in an object, which must be the one that a State speaks of.
     *
     * @param name the object, for messages
     * @param expected what a State says of it
     * @param before the receipt before its first step
     * @throws CorruptException if any byte is not what was written, or it is another one
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static Segment decode(ByteBuffer bytes, String name, SegmentRef expected, Bytes before) {
        Segment read = decode(bytes, name);
        try {
            read.check(expected, before);
            return read;
        } catch (IllegalArgumentException e) {
            throw MetadataObject.corrupt(name, e);
        }
    }
}
