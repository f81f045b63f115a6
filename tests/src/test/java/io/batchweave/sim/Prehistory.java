package io.batchweave.sim;

import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Layout;
import io.batchweave.store.ObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Commits without any effect, so that a log has some to trim before much has happened. */
final class Prehistory {
    private Prehistory() {}

    /** Writes the commits after the first up to a version. */
    static void write(ObjectStore store, Layout layout, long last) {
        for (long version = 1; version <= last; version++) {
            String id = new UUID(0, version).toString();
            Commit commit =
                    new Commit(
                            id,
                            Instant.EPOCH,
                            "prehistory",
                            List.of(new OpenProducer("undeclared", id)));
            store.create(layout.commit(version), CommitCodec.encode(commit));
        }
    }
}
