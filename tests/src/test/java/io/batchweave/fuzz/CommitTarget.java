package io.batchweave.fuzz;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Any bytes as a commit: as they are, and with the checksum they should have. */
public final class CommitTarget {
    private CommitTarget() {}

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        read(data);
        read(Checksum.corrected(data));
    }

    private static void read(byte[] data) {
        Optional<Commit> commit = decoded(data);
        commit.ifPresent(CommitTarget::writeAgain);
    }

    private static Optional<Commit> decoded(byte[] data) {
        try {
            return Optional.of(CommitCodec.decode(ByteBuffer.wrap(data), "the input"));
        } catch (CorruptException | UnsupportedFeatureException e) {
            Told.inOneLine(e);
            return Optional.empty();
        }
    }

    private static void writeAgain(Commit commit) {
        ByteBuffer written = CommitCodec.encode(commit);
        Told.that(
                CommitCodec.decode(written.duplicate(), "what was written").equals(commit),
                "the commit changes by being written: " + commit);
        Told.that(CommitCodec.encode(commit).equals(written), "other bytes of " + commit);
    }
}
