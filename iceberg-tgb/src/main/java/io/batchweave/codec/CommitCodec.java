package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Commits as bytes, one by one or many in a pack. Equal commits give equal bytes. */
public final class CommitCodec {
    /** Most bytes of a commit object. */
    public static final int BYTES_MAX = 16 << 20;

    /** Most bytes of a pack. */
    public static final int PACK_MAX = 64 << 20;

    private static final MetadataObject<Commit> OBJECT =
            new MetadataObject<>("commit.avsc", Commit.class, "commit");

    private CommitCodec() {}

    /**
     * The one object that this commit makes, wherever and however often it is offered.
     *
     * @throws IllegalArgumentException if the commit is larger than {@link #BYTES_MAX}
     */
    public static ByteBuffer encode(Commit commit) {
        byte[] bytes = OBJECT.encode(commit);
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "Cannot write commit "
                            + commit.id()
                            + ": "
                            + bytes.length
                            + " bytes, at most "
                            + BYTES_MAX
                            + " are allowed; publish fewer batches at once or use a smaller grid");
        }
        return ByteBuffer.wrap(bytes);
    }

    /**
     * The commit in an object.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static Commit decode(ByteBuffer bytes, String name) {
        return OBJECT.decode(bytes, name);
    }

    /** The one object that packs these commits; empty if it is larger than {@link #PACK_MAX}. */
    public static Optional<ByteBuffer> encodePack(List<Commit> commits) {
        return Optional.of(OBJECT.encodeAll(commits))
                .filter(bytes -> bytes.length <= PACK_MAX)
                .map(ByteBuffer::wrap);
    }

    /**
     * The commits in a pack.
     *
     * @param count how many there must be
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static List<Commit> decodePack(ByteBuffer bytes, int count, String name) {
        return OBJECT.decodeAll(bytes, count, name);
    }
}
