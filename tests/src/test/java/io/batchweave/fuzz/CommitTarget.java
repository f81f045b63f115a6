package io.batchweave.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Any bytes as a commit: as they are, and with the checksum they should have. */
public final class CommitTarget {
    private static final byte[] CHECKSUM_KEY = "batchweave.crc32c\u0010".getBytes(US_ASCII);
    private static final int DIGITS = 8;

    private CommitTarget() {}

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        read(data);
        // Behind a checksum nothing would ever be found.
        read(checked(data));
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

    private static byte[] checked(byte[] data) {
        int at = indexOf(data, CHECKSUM_KEY) + CHECKSUM_KEY.length;
        if (at < CHECKSUM_KEY.length || at + DIGITS > data.length) {
            return data;
        }
        byte[] checked = data.clone();
        put(checked, at, "0".repeat(DIGITS));
        CRC32C crc32c = new CRC32C();
        crc32c.update(checked);
        put(checked, at, String.format("%08x", crc32c.getValue()));
        return checked;
    }

    private static void put(byte[] target, int at, String digits) {
        System.arraycopy(digits.getBytes(US_ASCII), 0, target, at, DIGITS);
    }

    private static int indexOf(byte[] data, byte[] key) {
        for (int at = 0; at + key.length <= data.length; at++) {
            if (Arrays.mismatch(data, at, at + key.length, key, 0, key.length) < 0) {
                return at;
            }
        }
        return -1;
    }
}
