package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/** Commits as bytes. Equal commits give equal bytes. */
public final class CommitCodec {
    /** Most bytes of a commit object. */
    public static final int BYTES_MAX = 16 << 20;

    private static final Schema SCHEMA = load("commit.avsc");

    private CommitCodec() {}

    /**
     * The one object that this commit makes, wherever and however often it is offered.
     *
     * @throws IllegalArgumentException if the commit is larger than {@link #BYTES_MAX}
     */
    public static ByteBuffer encode(Commit commit) {
        byte[] bytes = AvroObject.encode(SCHEMA, List.of(RecordBinder.toAvro(commit, SCHEMA)));
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "Cannot write commit "
                            + commit.id()
                            + ": "
                            + bytes.length
                            + " bytes, at most "
                            + BYTES_MAX
                            + " are allowed; publish fewer batches at once or use a smaller grid");
        }
        return ByteBuffer.wrap(bytes);
    }

    /**
     * The commit in an object.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    public static Commit decode(ByteBuffer bytes, String name) {
        List<GenericRecord> records = AvroObject.decode(bytes, name);
        if (records.size() != 1
                || !records.get(0).getSchema().getFullName().equals(SCHEMA.getFullName())) {
            throw new CorruptException("Cannot read " + name + ": it does not hold one commit");
        }
        try {
            return RecordBinder.fromAvro(records.get(0), Commit.class, SCHEMA);
        } catch (RecordBinder.UnknownBranchException e) {
            throw new UnsupportedFeatureException(
                    "Cannot read "
                            + name
                            + ": it says '"
                            + e.getMessage()
                            + "', which this version of BatchWeave does"
                            + " not know; upgrade BatchWeave");
        } catch (IllegalArgumentException e) {
            throw new CorruptException("Cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static Schema load(String file) {
        try (InputStream in = CommitCodec.class.getResourceAsStream(file)) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot read the schema " + file + " from the class path", e);
        }
    }
}
