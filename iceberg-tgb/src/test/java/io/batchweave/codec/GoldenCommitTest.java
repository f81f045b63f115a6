package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Commits as they lie in people's stores: the format cannot change without this test being changed.
 *
 * <p>A schema that is widened on purpose gives new bytes. They become a new file here, the newest;
 * the old ones stay, for what was once written is read for ever.
 */
class GoldenCommitTest {
    private static final String NEWEST = "commit-4.hex";
    private static final Commit COMMIT =
            SampleCommits.of(SampleCommits.entries().toArray(Entry[]::new));

    @Test
    @Tag("CODEC-3")
    void whatWasOnceWrittenIsReadForEver() {
        assertThat(read(NEWEST)).isEqualTo(COMMIT);
        assertThat(read("commit-3.hex"))
                .as("before there were sweeps")
                .isEqualTo(SampleCommits.of(withoutSweep().toArray(Entry[]::new)));
        assertThat(read("commit-2.hex"))
                .as("before there were jobs")
                .isEqualTo(SampleCommits.of(withoutJobs().toArray(Entry[]::new)));
        assertThat(read("commit-1.hex"))
                .as("before there was provenance")
                .isEqualTo(withoutOrigin());
    }

    private static List<Entry> withoutSweep() {
        return SampleCommits.entries().subList(0, 13);
    }

    private static List<Entry> withoutJobs() {
        return SampleCommits.entries().subList(0, 5);
    }

    private static Commit withoutOrigin() {
        List<Entry> entries =
                withoutJobs().stream()
                        .map(
                                entry ->
                                        entry instanceof Publish publish
                                                ? SampleCommits.withoutProvenance(publish)
                                                : entry)
                        .toList();
        return SampleCommits.of(entries.toArray(Entry[]::new));
    }

    private static Commit read(String file) {
        return CommitCodec.decode(ByteBuffer.wrap(golden(file)), file);
    }

    @Test
    @Tag("CODEC-1")
    void commitIsWrittenAsTheNewestGoldenOne() {
        byte[] written = CommitCodec.encode(COMMIT).array();

        assertThat(written)
                .as("the bytes of a commit; now they are%n%s", lines(written))
                .isEqualTo(golden(NEWEST));
    }

    private static byte[] golden(String file) {
        try (InputStream in = GoldenCommitTest.class.getResourceAsStream(file)) {
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lines(byte[] bytes) {
        return HexFormat.of().formatHex(bytes).replaceAll("(.{96})", "$1\n");
    }
}
