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

/** A kind of metadata objects: equal records give equal bytes. */
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
        return encodeAll(List.of(value));
    }

    byte[] encodeAll(List<R> values) {
        return AvroObject.encode(
                schema, values.stream().map(value -> RecordBinder.toAvro(value, schema)).toList());
    }

    /**
     * The record in an object.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     * @throws UnsupportedFeatureException if it says something that only newer software understands
     */
    R decode(ByteBuffer bytes, String name) {
        return decodeAll(bytes, 1, name).get(0);
    }

    /** The records in an object that holds so many. */
    List<R> decodeAll(ByteBuffer bytes, int count, String name) {
        List<GenericRecord> records = AvroObject.decode(bytes, name);
        if (records.size() != count
                || !records.get(0).getSchema().getFullName().equals(schema.getFullName())) {
            throw new CorruptException(
                    "Cannot read "
                            + name
                            + ": it does not hold "
                            + (count == 1 ? "one " + noun : count + " " + noun + "s"));
        }
        return records.stream().map(record -> value(record, name)).toList();
    }

    private R value(GenericRecord record, String name) {
        try {
            return RecordBinder.fromAvro(record, type, schema);
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
