package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.state.State;
import java.nio.ByteBuffer;
import java.util.Optional;

/** States as bytes. Equal States give equal bytes. */
public final class StateCodec {
    /** Most bytes of a saved State. */
    public static final int BYTES_MAX = 64 << 20;

    private static final MetadataObject<State> OBJECT =
            new MetadataObject<>("state.avsc", State.class, "State");

    private StateCodec() {}

    /** The one object that this State makes; empty if it is larger than {@link #BYTES_MAX}. */
    public static Optional<ByteBuffer> encode(State state) {
        return Optional.of(OBJECT.encode(state))
                .filter(bytes -> bytes.length <= BYTES_MAX)
                .map(ByteBuffer::wrap);
    }

    /**
     * The State in an object.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written, or there can be no such State
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static State decode(ByteBuffer bytes, String name) {
        State read = OBJECT.decode(bytes, name);
        try {
            return read.checked();
        } catch (IllegalArgumentException e) {
            throw MetadataObject.corrupt(name, e);
        }
    }
}
