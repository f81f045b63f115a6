package io.batchweave.fuzz;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Any bytes as a pack: the first says how many commits are asked for, which are {@value
 * Layout#PACKED} in a dataset, and the rest is the pack: as it is, and with the checksum it should
 * have.
 */
public final class PackTarget {
    private PackTarget() {}

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0) {
            int count = 1 + Math.floorMod(data[0], Layout.PACKED);
            byte[] pack = Arrays.copyOfRange(data, 1, data.length);
            read(pack, count);
            read(Checksum.corrected(pack), count);
        }
    }

    /** A pack as an input. */
    static byte[] input(ByteBuffer pack, int count) {
        return ByteBuffer.allocate(1 + pack.remaining())
                .put((byte) (count - 1))
                .put(pack.duplicate())
                .array();
    }

    private static void read(byte[] pack, int count) {
        List<Commit> commits;
        try {
            commits = CommitCodec.decodePack(ByteBuffer.wrap(pack), count, "the input");
        } catch (CorruptException | UnsupportedFeatureException e) {
            Told.inOneLine(e);
            return;
        }
        Told.that(commits.size() == count, commits.size() + " commits, not " + count);
        ByteBuffer written = CommitCodec.encodePack(commits).orElseThrow();
        Told.that(
                CommitCodec.decodePack(written, count, "what was written").equals(commits),
                "the commits change by being packed: " + commits);
        Told.that(
                CommitCodec.encodePack(commits).orElseThrow().equals(written),
                "other bytes of " + commits);
    }
}
