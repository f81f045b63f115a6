package io.batchweave.produce;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.payload.PartWriter;
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
    private final int slices;
    private final List<PartUpload> uploads = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private PartWriter current;
    private int written;
    private boolean handedOver;

    BatchWriter(Producer producer, Claim claim) {
        this.producer = producer;
        this.claim = claim;
        this.slices = producer.grid().slices();
    }

    /**
     * Writes the next slice.
     *
     * @throws InvalidRequestException if the grid is full or the slice does not fit the dataset's
     *     schema
     * @throws io.batchweave.errors.UnavailableException if the store cannot take it
     */
    public void write(VectorSchemaRoot slice) {
        if (written == slices) {
            throw refusal("the grid " + producer.grid() + " is full with " + slices + " slices");
        }
        if (current == null) {
            PartUpload upload = producer.startPart(claim, uploads.size());
            uploads.add(upload);
            current = new PartWriter(upload.upload(), producer.schema());
        }
        current.write(slice);
        written++;
        if (current.length() >= producer.limits().partBytes()) {
            endPart();
        }
    }

    private void endPart() {
        Part part = current.finish();
        parts.add(part);
        uploads.get(uploads.size() - 1).ended(part);
        current = null;
    }

    /**
     * Hands the batch over to be committed; it may ride along with others in one commit.
     *
     * @param progress the source positions that a restart of this producer is to continue from
     * @param counts additive measures, such as tokens
     * @return completes with the step once the log holds it; fails as {@link Producer#flush} does
     * @throws InvalidRequestException if a slice is missing
     */
    public CompletableFuture<Long> publish(Bytes progress, List<Count> counts) {
        if (written < slices) {
            throw refusal(
                    "only "
                            + written
                            + " of "
                            + slices
                            + " slices were written; every rank needs one");
        }
        if (current != null) {
            endPart();
        }
        Publish entry =
                new Publish(
                        claim, progress, new GlobalBatch(producer.schema().id(), parts, counts));
        handedOver = true;
        return producer.commit(new FinishedBatch(uploads, entry, new CompletableFuture<>()));
    }

    private InvalidRequestException refusal(String why) {
        return new InvalidRequestException(
                "Cannot publish " + claim + " of " + producer.dataset() + ": " + why);
    }

    @Override
    public void close() {
        if (!handedOver) {
            uploads.forEach(PartUpload::close);
            producer.abandoned(claim);
            handedOver = true;
        }
    }
}
