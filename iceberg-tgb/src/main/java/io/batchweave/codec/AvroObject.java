package io.batchweave.codec;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Names;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * The one form of every metadata object: an Avro object container file whose header always holds
 * the same three entries in the same order, whose sync marker is fixed, and whose header carries a
 * CRC-32C over the whole object, computed with the eight digits of the checksum itself as zeros.
 */
final class AvroObject {
    private static final byte[] MAGIC = {'O', 'b', 'j', 1};
    private static final byte[] SYNC = ascii("BatchWeave-TGB-1");
    private static final byte[] CODEC_KEY = ascii("avro.codec");
    private static final byte[] CODEC = ascii("null");
    private static final byte[] SCHEMA_KEY = ascii("avro.schema");
    private static final byte[] CHECKSUM_KEY = ascii("batchweave.crc32c");
    private static final byte[] NO_CHECKSUM = ascii("00000000");
    private static final long HEADER_ENTRIES = 3;

    /** What follows the checksum: that no entries do, and the sync marker. */
    private static final int HEADER_END_BYTES = 1 + SYNC.length;

    /**
     * Our own, since others may teach conversions to the shared one; without the fast reader, which
     * looks for the Java classes that a schema names.
     */
    private static final GenericData AVRO = new GenericData().setFastReaderEnabled(false);

    /**
     * Schemas that were read before, by their text. Nearly all objects have one of a few, and to
     * parse one takes many times as long as to read a commit by it.
     */
    private static final Map<Bytes, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private static final int SCHEMAS_MAX = 64;

    /** Most bytes of a schema's text; the time that Avro takes for it grows as its square. */
    private static final int SCHEMA_BYTES_MAX = 1 << 16;

    /** The headers that we write, with no checksum yet: most of a commit's bytes. */
    private static final Map<Schema, byte[]> HEADERS = new ConcurrentHashMap<>();

    private static final HexFormat HEX = HexFormat.of();

    private AvroObject() {}

    /** The bytes of an object that holds these records. */
    static byte[] encode(Schema schema, List<GenericRecord> records) {
        byte[] header = HEADERS.computeIfAbsent(schema, AvroObject::header);
        byte[] object =
                written(
                        out -> {
                            out.writeFixed(header);
                            for (GenericRecord record : records) {
                                out.writeLong(1);
                                out.writeBytes(body(schema, record));
                                out.writeFixed(SYNC);
                            }
                        });
        int start = header.length - HEADER_END_BYTES - NO_CHECKSUM.length;
        System.arraycopy(checksum(object), 0, object, start, NO_CHECKSUM.length);
        return object;
    }

    private static byte[] header(Schema schema) {
        String text = SchemaNormalization.toParsingForm(schema);
        return written(
                out -> {
                    out.writeFixed(MAGIC);
                    out.writeLong(HEADER_ENTRIES);
                    out.writeBytes(CODEC_KEY);
                    out.writeBytes(CODEC);
                    out.writeBytes(SCHEMA_KEY);
                    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
                    out.writeBytes(CHECKSUM_KEY);
                    out.writeBytes(NO_CHECKSUM);
                    out.writeLong(0);
                    out.writeFixed(SYNC);
                });
    }

    private static byte[] body(Schema schema, GenericRecord record) {
        return written(out -> new GenericDatumWriter<GenericRecord>(schema).write(record, out));
    }

    /** Writes something. */
    @FunctionalInterface
    private interface Content {
        void to(BinaryEncoder out) throws IOException;
    }

    private static byte[] written(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            content.to(EncoderFactory.get().directBinaryEncoder(bytes, null));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory takes every byte", e);
        }
        return bytes.toByteArray();
    }

    /**
     * The records of an object, as their writer's schema has them.
     *
     * @param name the object, for messages
     * @throws CorruptException if any byte is not what was written
     */
    static List<GenericRecord> decode(ByteBuffer object, String name) {
        byte[] bytes = new byte[object.remaining()];
        object.duplicate().get(bytes);
        try {
            BinaryDecoder in = DecoderFactory.get().binaryDecoder(bytes, null);
            Schema schema = parse(readHeader(in, bytes, name), name);
            List<GenericRecord> records = new ArrayList<>();
            while (!in.isEnd()) {
                expect(in.readLong() == 1, name, "a block has other than one record");
                records.add(readRecord(schema, readBytes(in, bytes.length, name), name));
                expect(readFixed(in, SYNC), name, "a block does not end with the sync marker");
            }
            return records;
        } catch (IOException e) {
            throw new CorruptException(text(name, "it is no whole Avro object"), e);
        }
    }

    private static Schema parse(byte[] text, String name) {
        Bytes key = Bytes.copyOf(text);
        Schema known = SCHEMAS.get(key);
        if (known != null) {
            return known;
        }
        try {
            Schema schema =
                    SchemaRules.check(
                            new Schema.Parser().parse(new String(text, StandardCharsets.UTF_8)));
            if (SCHEMAS.size() < SCHEMAS_MAX) {
                SCHEMAS.put(key, schema);
            }
            return schema;
        } catch (RuntimeException e) {
            // The parser throws many kinds at text that is no schema; to us they mean the same.
            throw new CorruptException(text(name, "its schema makes no sense"), e);
        }
    }

    private static GenericRecord readRecord(Schema schema, byte[] body, String name)
            throws IOException {
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(body, null);
        GenericRecord record;
        try {
            record = new GenericDatumReader<GenericRecord>(schema, schema, AVRO).read(null, in);
        } catch (IOException | RuntimeException e) {
            // As above: whatever Avro makes of bytes that are no such record.
            throw new CorruptException(text(name, "a record does not have its schema"), e);
        }
        expect(in.isEnd(), name, "a block is longer than its record");
        return record;
    }

    /** Reads up to the first block, checks the whole object, and returns its schema's text. */
    private static byte[] readHeader(BinaryDecoder in, byte[] bytes, String name)
            throws IOException {
        expect(readFixed(in, MAGIC), name, "it does not start as an Avro object");
        expect(in.readLong() == HEADER_ENTRIES, name, "its header is not ours");
        expect(isNext(in, CODEC_KEY) && isNext(in, CODEC), name, "its header names another codec");
        expect(isNext(in, SCHEMA_KEY), name, "its header has no schema");
        byte[] schema = readBytes(in, Math.min(bytes.length, SCHEMA_BYTES_MAX), name);
        expect(isNext(in, CHECKSUM_KEY), name, "its header has no checksum");
        byte[] stored = readBytes(in, bytes.length, name);
        int end = bytes.length - in.inputStream().available();
        expect(
                stored.length == NO_CHECKSUM.length,
                name,
                "its checksum has " + stored.length + " digits");
        System.arraycopy(NO_CHECKSUM, 0, bytes, end - stored.length, stored.length);
        String actual = new String(checksum(bytes), StandardCharsets.US_ASCII);
        String expected = new String(stored, StandardCharsets.US_ASCII);
        expect(
                actual.equals(expected),
                name,
                "its CRC-32C is " + actual + ", its header says " + Names.printable(expected));
        expect(in.readLong() == 0 && readFixed(in, SYNC), name, "its header does not end as ours");
        return schema;
    }

    private static boolean readFixed(BinaryDecoder in, byte[] expected) throws IOException {
        byte[] read = new byte[expected.length];
        in.readFixed(read);
        return Arrays.equals(read, expected);
    }

    private static boolean isNext(BinaryDecoder in, byte[] expected) throws IOException {
        return in.readLong() == expected.length && readFixed(in, expected);
    }

    /** Reads a byte string; a damaged length must not make us ask for all the memory there is. */
    private static byte[] readBytes(BinaryDecoder in, int bytesMax, String name)
            throws IOException {
        long length = in.readLong();
        expect(length >= 0 && length <= bytesMax, name, "it has a length of " + length + " bytes");
        byte[] read = new byte[(int) length];
        in.readFixed(read);
        return read;
    }

    private static void expect(boolean holds, String name, String otherwise) {
        if (!holds) {
            throw new CorruptException(text(name, otherwise));
        }
    }

    private static String text(String name, String why) {
        return "Cannot read " + name + ": " + why + "; the object was damaged after it was written";
    }

    private static byte[] checksum(byte[] object) {
        CRC32C crc = new CRC32C();
        crc.update(object);
        return ascii(HEX.toHexDigits((int) crc.getValue()));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
