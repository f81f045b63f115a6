package io.batchweave.codec;

import io.batchweave.model.Commit;
import java.nio.ByteBuffer;
import org.apache.avro.generic.GenericRecord;

/** Commits as older software wrote them. */
public final class OlderCommits {
    private OlderCommits() {}

    /** The same commit, in an object whose schema knows of no provenance yet. */
    public static ByteBuffer withoutProvenance(Commit commit) {
        GenericRecord record =
                ForeignObjects.read(
                        CommitCodec.encode(commit),
                        new OtherSchema()
                                .without(new OtherSchema.Place("GlobalBatch", "provenance"))
                                .schema());
        return ForeignObjects.object(record.getSchema().toString(), ForeignObjects.body(record));
    }
}
