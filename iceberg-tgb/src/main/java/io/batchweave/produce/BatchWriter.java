package io.batchweave.produce;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Dataset;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One global batch being written, slice by slice in the order of the grid. It holds no slice: what
 * is written has left for the store when {@link #write} returns.
 *
 * <p>Used by one thread. Closing one that was not published leaves no trace.
 */
public final class BatchWriter implements AutoCloseable {
    private final Producer producer;
    private final Claim claim;
    private final List<PartUpload> uploads = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private int written;
    private Phase phase = Phase.WRITING;

    private enum Phase {
        WRITING,
        /** A part is lost; all that is left to do is to close. */
        LOST,
        OVER
    }

    BatchWriter(Producer producer, Claim claim) {
        this.producer = producer;
        this.claim = claim;
    }

    /**
     * Writes the next slice. Its vectors stay the caller's and may be used again when this returns.
     *
     * @throws InvalidRequestException if the grid is full, or the slice does not fit the dataset's
     *     schema; nothing of it was written, and another may be written in its place
     * @throws UnavailableException if the store cannot take it; close this batch, and write it
     *     again from its first slice
     */
    public void write(VectorSchemaRoot slice) {
        demandWriting();
        demand(written < slices(), "the grid " + producer.grid() + " is full");
        try {
            PartUpload part = currentPart();
            part.write(slice);
            written++;
            if (part.length() >= producer.limits().partBytes() || written == slices()) {
                parts.add(part.finish());
            }
        } catch (InvalidRequestException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            phase = Phase.LOST;
            throw e;
        }
    }

    private int slices() {
        return producer.grid().slices();
    }

    private PartUpload currentPart() {
        if (uploads.size() == parts.size()) {
            uploads.add(producer.startPart(claim, uploads.size()));
        }
        return uploads.get(uploads.size() - 1);
    }

    /** Like {@link #publish(Bytes, List, Provenance)}, not telling where the batch comes from. */
    public CompletableFuture<Long> publish(Bytes progress, List<Count> counts) {
        return publish(progress, counts, Provenance.NONE);
    }

    /**
     * Hands the batch over to be committed; it may ride along with others in one commit.
     *
     * @param progress the source positions that a restart of this producer is to continue from
     * @param counts additive measures, such as tokens
     * @param provenance which rows of which inputs it was made of
     * @return completes with the step once the log holds it; fails as {@link Producer#flush} does.
     *     What depends on it runs in the committing thread and must not wait for the producer.
     * @throws InvalidRequestException if a slice is missing, or the log would hold too much of it
     * @throws IllegalArgumentException if the progress is too long, or a count is named twice
     */
    public CompletableFuture<Long> publish(
            Bytes progress, List<Count> counts, Provenance provenance) {
        demandWriting();
        demand(
                written == slices(),
                "only "
                        + written
                        + " of "
                        + slices()
                        + " slices were written; every rank needs one");
        GlobalBatch batch = new GlobalBatch(Dataset.SCHEMA_ID, parts, counts, provenance);
        Publish entry = new Publish(claim, progress, batch);
        FinishedBatch finished =
                new FinishedBatch(new BatchUpload(uploads), entry, new CompletableFuture<>());
        demand(
                finished.commitBytes() <= FinishedBatch.COMMIT_BYTES_MAX,
                "what the log would hold of it takes "
                        + finished.commitBytes()
                        + " bytes, at most "
                        + FinishedBatch.COMMIT_BYTES_MAX
                        + " are allowed; use fewer rows a slice");
        phase = Phase.OVER;
        return producer.commit(finished);
    }

    private void demandWriting() {
        demand(phase != Phase.LOST, "a slice of it is lost; close it and start another");
        demand(phase != Phase.OVER, "it was published or closed; start another");
    }

    private void demand(boolean holds, String otherwise) {
        if (!holds) {
            throw new InvalidRequestException(
                    "Cannot go on with the batch of "
                            + claim
                            + " of "
                            + producer.dataset()
                            + ": "
                            + otherwise);
        }
    }

    @Override
    public void close() {
        if (phase != Phase.OVER) {
            phase = Phase.OVER;
            uploads.forEach(PartUpload::close);
            producer.ended();
        }
    }
}
