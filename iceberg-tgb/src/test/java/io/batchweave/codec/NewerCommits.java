package io.batchweave.codec;

import io.batchweave.model.Commit;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** Commits that only newer software understands. */
public final class NewerCommits {
    private NewerCommits() {}

    /** A commit with one entry, of a kind named Weave. */
    public static ByteBuffer ofUnknownKind() {
        GenericRecord commit =
                ForeignObjects.read(
                        CommitCodec.encode(SampleCommits.of(SampleCommits.publish())),
                        new OtherSchema()
                                .withEntryKind(
                                        """
                                        {"type": "record", "name": "Weave",
                                         "fields": [{"name": "lane", "type": "string"}]}
                                        """)
                                .schema());
        Schema entries = commit.getSchema().getField("entries").schema();
        List<Schema> kinds = entries.getElementType().getTypes();
        GenericRecord weave = new GenericData.Record(kinds.get(kinds.size() - 1));
        weave.put("lane", "math");
        commit.put("entries", List.of(weave));
        return ForeignObjects.object(commit.getSchema().toString(), ForeignObjects.body(commit));
    }

    /** The same commit, in an object with a field that we do not know. */
    public static ByteBuffer withUnknownField(Commit commit) {
        GenericRecord record =
                ForeignObjects.read(
                        CommitCodec.encode(commit),
                        new OtherSchema()
                                .withFirstField(
                                        "Commit",
                                        "{\"name\": \"lane\", \"type\": \"string\", \"default\": \"\"}")
                                .schema());
        return ForeignObjects.object(record.getSchema().toString(), ForeignObjects.body(record));
    }
}
