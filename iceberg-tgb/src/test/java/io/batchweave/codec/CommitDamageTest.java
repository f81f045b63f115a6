package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to a stored commit is noticed, and the message says where. */
class CommitDamageTest {
    private static final String NAME = "memory:/train/pretrain/log/0/7";

    static List<Commit> commits() {
        List<Commit> commits = new ArrayList<>(SampleCommits.ofEachKind());
        commits.add(SampleCommits.of(SampleCommits.entries().toArray(Entry[]::new)));
        return commits;
    }

    @ParameterizedTest
    @MethodSource("commits")
    @Tag("CODEC-2")
    void everyFlippedBitIsNoticed(Commit commit) {
        byte[] bytes = CommitCodec.encode(commit).array();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertCorrupt(bytes, "bit " + bit);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(CommitCodec.decode(ByteBuffer.wrap(bytes), NAME)).isEqualTo(commit);
    }

    @ParameterizedTest
    @MethodSource("commits")
    void everyTruncationIsNoticed(Commit commit) {
        byte[] bytes = CommitCodec.encode(commit).array();
        for (int length = 0; length < bytes.length; length++) {
            assertCorrupt(Arrays.copyOf(bytes, length), "length " + length);
        }
    }

    @ParameterizedTest
    @MethodSource("commits")
    void everythingBehindTheEndIsNoticed(Commit commit) {
        byte[] bytes = CommitCodec.encode(commit).array();
        assertCorrupt(Arrays.copyOf(bytes, bytes.length + 1), "a zero");
        assertCorrupt(ForeignObjects.joined(List.of(bytes, bytes)), "the object twice");
    }

    /** What a block device leaves of a write that it did not finish. */
    @ParameterizedTest
    @MethodSource("commits")
    void everyZeroedTailIsNoticed(Commit commit) {
        byte[] bytes = CommitCodec.encode(commit).array();
        for (int end = bytes.length - 1; end >= 0; end--) {
            bytes[end] = 0;
            assertCorrupt(bytes, "zeros from " + end);
        }
    }

    private static void assertCorrupt(byte[] bytes, String what) {
        assertThatExceptionOfType(CorruptException.class)
                .as(what)
                .isThrownBy(() -> CommitCodec.decode(ByteBuffer.wrap(bytes), NAME))
                .satisfies(
                        e ->
                                assertThat(e.getMessage())
                                        .startsWith("Cannot read " + NAME + ": ")
                                        .doesNotContain("\n"));
    }
}
