package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.RandomCommits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class CommitCodecTest {
    @Provide
    Arbitrary<Commit> commits() {
        return RandomCommits.commits();
    }

    @Property
    void everyCommitIsReadAsItWasWritten(@ForAll("commits") Commit commit) {
        assertThat(CommitCodec.decode(CommitCodec.encode(commit), "x")).isEqualTo(commit);
    }

    @Property
    @Tag("LOG-1")
    @Tag("CODEC-1")
    void equalCommitsGiveEqualBytes(@ForAll("commits") Commit commit) {
        Commit equal = new Commit(commit.id(), commit.time(), commit.writer(), commit.entries());

        assertThat(CommitCodec.encode(equal)).isEqualTo(CommitCodec.encode(commit));
        assertThat(CommitCodec.encode(CommitCodec.decode(CommitCodec.encode(commit), "x")))
                .isEqualTo(CommitCodec.encode(commit));
    }

    @Property
    void differentCommitsGiveDifferentBytes(
            @ForAll("commits") Commit one, @ForAll("commits") Commit other) {
        assertThat(CommitCodec.encode(one).equals(CommitCodec.encode(other)))
                .isEqualTo(one.equals(other));
    }

    @Test
    void readingLeavesTheBufferAsItWas() {
        Commit commit = SampleCommits.of(SampleCommits.publish());
        ByteBuffer encoded = CommitCodec.encode(commit);
        ByteBuffer inside = ByteBuffer.allocateDirect(encoded.remaining() + 20);
        inside.position(7).put(encoded.duplicate()).flip().position(7);
        ByteBuffer readOnly = inside.asReadOnlyBuffer();

        assertThat(CommitCodec.decode(readOnly, "x")).isEqualTo(commit);
        assertThat(readOnly.position()).isEqualTo(7);
        assertThat(CommitCodec.decode(readOnly, "x")).isEqualTo(commit);
        assertThat(readOnly.slice()).isEqualTo(encoded);
    }

    @Test
    void avroItselfReadsOurObjects() {
        Commit commit = SampleCommits.of(SampleCommits.publish());
        Schema schema = new Schema.Parser().parse(ForeignObjects.ownSchema());

        GenericRecord record = ForeignObjects.read(CommitCodec.encode(commit), schema);

        assertThat(record.get("id")).hasToString("c-1");
        assertThat(record.get("time")).isEqualTo(commit.time().toEpochMilli());
        GenericRecord entry = (GenericRecord) ((List<?>) record.get("entries")).get(0);
        assertThat(entry.getSchema().getFullName()).isEqualTo("batchweave.Publish");
        assertThat(entry.get("claim"))
                .hasToString("{\"producer\": \"p7\", \"epoch\": 3, \"sequence\": 41}");
    }

    @Test
    @Tag("LOG-7")
    void commitOf16MiBIsWrittenAndOneByteMoreIsRefused() {
        int room = CommitCodec.BYTES_MAX - CommitCodec.encode(large(255, 16_384)).remaining();
        Commit largest = large(255, 16_384 + room);

        ByteBuffer bytes = CommitCodec.encode(largest);

        assertThat(bytes.remaining()).isEqualTo(CommitCodec.BYTES_MAX);
        assertThat(CommitCodec.decode(bytes, "x")).isEqualTo(largest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommitCodec.encode(large(255, 16_385 + room)))
                .withMessage(
                        "Cannot write commit c-1: 16777217 bytes, at most 16777216 are allowed;"
                                + " publish fewer batches at once or use a smaller grid");
    }

    /** Full entries, and one whose progress has this many bytes. */
    private static Commit large(int full, int lastBytes) {
        Bytes most = Bytes.copyOf(new byte[Entry.PROGRESS_BYTES_MAX]);
        List<Entry> entries =
                new ArrayList<>(Collections.nCopies(full, new Finish(new Claim("p", 1, 0), most)));
        Bytes last = Bytes.copyOf(new byte[lastBytes]);
        entries.add(new Finish(new Claim("p", 1, 0), last));
        return SampleCommits.of(entries.toArray(Entry[]::new));
    }
}
