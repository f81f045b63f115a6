package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Count;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.Slice;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FinishedBatchTest {

    /** Commits are filled by this estimate, and what is too large cannot be offered at all. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 0, 0",
        "65536, 1, 0, 0, 0",
        "1, 65536, 0, 0, 0",
        "1, 1, 60000, 0, 0",
        "1, 1, 0, 5000, 0",
        "1, 1, 0, 0, 5000"
    })
    @Tag("LOG-7")
    void itsPlaceInACommitIsNotUnderestimated(
            int slices, int parts, int progress, int counts, int sources) {
        Slice slice = new Slice(Part.LENGTH_MAX - (1L << 30), 1 << 30, Slice.ROWS_MAX, -1);
        List<Slice> cut =
                IntStream.range(0, slices)
                        .mapToObj(i -> new Slice((1L << 45) + i * 64L, 64, Slice.ROWS_MAX, -1))
                        .toList();
        Part part =
                new Part(
                        Part.LENGTH_MAX,
                        Bytes.digestOf(Bytes.sha256()),
                        slices == 1 ? List.of(slice) : cut);
        GlobalBatch batch =
                new GlobalBatch(
                        0,
                        IntStream.range(0, parts).mapToObj(i -> part).toList(),
                        IntStream.range(0, counts)
                                .mapToObj(i -> new Count("count" + i, Long.MAX_VALUE))
                                .toList(),
                        provenance(sources));
        Publish entry =
                new Publish(
                        new Claim("p".repeat(128), Long.MAX_VALUE, Long.MAX_VALUE),
                        Bytes.copyOf(new byte[progress]),
                        batch);

        long estimate =
                new FinishedBatch(new BatchUpload(List.of()), entry, new CompletableFuture<>())
                        .commitBytes();

        assertThat(bytes(entry, entry) - bytes(entry)).isLessThanOrEqualTo(estimate);
    }

    private static Provenance provenance(int sources) {
        Source source =
                new Source(
                        "\u00e9".repeat(100),
                        Long.MAX_VALUE,
                        Bytes.digestOf(Bytes.sha256()),
                        Integer.MAX_VALUE);
        return new Provenance(
                Collections.nCopies(sources, source),
                IntStream.range(0, sources)
                        .mapToObj(i -> new SourceRows(0, i, 1L << 62, 1L << 61, Long.MAX_VALUE))
                        .toList());
    }

    private static long bytes(Publish... entries) {
        Commit commit = new Commit("id", Instant.EPOCH, "test", List.of(entries));
        return CommitCodec.encode(commit).remaining();
    }
}
