package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/** A kind of metadata objects: each holds one record, and equal records give equal bytes. */
final class MetadataObject<R extends Record> {
    private final String noun;
    private final Class<R> type;
    private final Schema schema;

    /**
     * @param file has the schema, on the class path beside this class
     * @param noun what messages call such a record
     */
    MetadataObject(String file, Class<R> type, String noun) {
        this.noun = noun;
        this.type = type;
        this.schema = load(file);
    }

    byte[] encode(R value) {
        return AvroObject.encode(schema, List.of(RecordBinder.toAvro(value, schema)));
    }

    /**
     * The record in an object.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    R decode(ByteBuffer bytes, String name) {
        List<GenericRecord> records = AvroObject.decode(bytes, name);
        if (records.size() != 1
                || !records.get(0).getSchema().getFullName().equals(schema.getFullName())) {
            throw new CorruptException("Cannot read " + name + ": it does not hold one " + noun);
        }
        try {
            return RecordBinder.fromAvro(records.get(0), type, schema);
        } catch (RecordBinder.UnknownBranchException e) {
            throw new UnsupportedFeatureException(
                    "Cannot read "
                            + name
                            + ": it says '"
                            + e.getMessage()
                            + "', which this version of BatchWeave does"
                            + " not know; upgrade BatchWeave");
        } catch (IllegalArgumentException e) {
            throw corrupt(name, e);
        }
    }

    static CorruptException corrupt(String name, IllegalArgumentException why) {
        return new CorruptException("Cannot read " + name + ": " + why.getMessage(), why);
    }

    private static Schema load(String file) {
        try (InputStream in = MetadataObject.class.getResourceAsStream(file)) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot read the schema " + file + " from the class path", e);
        }
    }
}
