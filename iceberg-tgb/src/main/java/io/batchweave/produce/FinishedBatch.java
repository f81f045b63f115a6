package io.batchweave.produce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.log.Log;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.util.concurrent.CompletableFuture;

/**
 * A batch whose slices are all written, on its way into the log.
 *
 * @param step completes when it is known what became of the batch
 */
record FinishedBatch(BatchUpload upload, Publish entry, CompletableFuture<Long> step) {
    /** Most that one may add to a commit, well below the most that a commit may have. */
    static final long COMMIT_BYTES_MAX = 12L << 20;

    private static final long ENTRY_BYTES = 256;
    private static final long PART_BYTES = 64;
    private static final long SLICE_BYTES = 24;
    private static final long COUNT_BYTES = 16;
    private static final long SOURCE_BYTES = 60;

    /** Hardly less than what it adds to a commit. */
    long commitBytes() {
        GlobalBatch batch = entry.batch();
        return ENTRY_BYTES
                + entry.progress().length()
                + PART_BYTES * batch.parts().size()
                + SLICE_BYTES * batch.slices()
                + batch.counts().stream().mapToLong(c -> COUNT_BYTES + c.name().length()).sum()
                + bytes(batch.provenance());
    }

    private static long bytes(Provenance provenance) {
        long bytes = 0;
        for (Source source : provenance.sources()) {
            bytes += SOURCE_BYTES + source.input().getBytes(UTF_8).length;
        }
        for (SourceRows rows : provenance.rows()) {
            bytes +=
                    bytes(rows.slice())
                            + bytes(rows.source())
                            + bytes(rows.first())
                            + bytes(rows.rows())
                            + bytes(rows.amount());
        }
        return bytes;
    }

    /** What a number from 0 takes: seven bits of it, and of its sign, in each byte. */
    private static long bytes(long number) {
        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(number << 1));
        return (bits + 6L) / 7;
    }

    /** Tells the step, from a log that has it. */
    void committed(Log log) {
        step.complete(log.stepOf(entry.claim()).orElseThrow());
        upload.close();
    }

    /** Tells why it is not known to be in the log. */
    void failed(RuntimeException cause) {
        step.completeExceptionally(cause);
        upload.close();
    }
}
