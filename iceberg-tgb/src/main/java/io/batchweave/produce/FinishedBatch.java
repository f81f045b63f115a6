package io.batchweave.produce;

import io.batchweave.model.Entry.Publish;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A batch whose slices are all written, on its way into the log. */
record FinishedBatch(List<PartUpload> uploads, Publish entry, CompletableFuture<Long> step) {

    /** About how many bytes it adds to a commit. */
    long commitBytes() {
        return 256L + entry.progress().length() + 24L * entry.batch().slices();
    }
}
