package io.batchweave.produce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Provenance;
import io.batchweave.state.State;
import io.batchweave.world.World;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A batch whose slices are all written, on its way into the log.
 *
 * @param step completes when it is known what became of the batch
 */
record FinishedBatch(List<PartUpload> uploads, Publish entry, CompletableFuture<Long> step) {
    private static final long ENTRY_BYTES = 256;
    private static final long PART_BYTES = 64;
    private static final long SLICE_BYTES = 24;
    private static final long COUNT_BYTES = 16;
    private static final long SOURCE_BYTES = 48;
    private static final long ROWS_BYTES = 40;

    FinishedBatch {
        uploads = List.copyOf(uploads);
    }

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
        return ROWS_BYTES * provenance.rows().size()
                + provenance.sources().stream()
                        .mapToLong(source -> SOURCE_BYTES + source.input().getBytes(UTF_8).length)
                        .sum();
    }

    /** Makes its payload visible, durably. */
    void upload(World world) {
        uploads.forEach(part -> part.complete(world));
    }

    /** Tells the step, from a State that has it. */
    void committed(State state) {
        step.complete(state.stepOf(entry.claim()).orElseThrow());
        uploads.forEach(PartUpload::close);
    }

    /** Tells why it is not known to be in the log. */
    void failed(RuntimeException cause) {
        step.completeExceptionally(cause);
        uploads.forEach(PartUpload::close);
    }
}
