package io.batchweave.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Objects as other software would write them, from the text of the format alone: any schema, any
 * body, and a checksum that is right.
 */
final class ForeignObjects {
    private static final String ZEROS = "00000000";

    private ForeignObjects() {}

    /** What our own schema says, as text that a test can change. */
    static String ownSchema() {
        try (InputStream in = CommitCodec.class.getResourceAsStream("commit.avsc")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An object of these block bodies, one record each. */
    static ByteBuffer object(String schema, byte[]... bodies) {
        List<byte[]> pieces = new ArrayList<>(pieces(schema));
        for (byte[] body : bodies) {
            pieces.addAll(List.of(number(1), number(body.length), body, sync()));
        }
        return sealed(pieces);
    }

    /** The pieces of an object without blocks, in order; a test may put others in their places. */
    static List<byte[]> pieces(String schema) {
        return List.of(
                new byte[] {'O', 'b', 'j', 1},
                number(3),
                text("avro.codec"),
                text("null"),
                text("avro.schema"),
                text(schema),
                text("batchweave.crc32c"),
                text(ZEROS),
                number(0),
                sync());
    }

    /** Joins the pieces of an object and puts in its checksum, which is the eighth piece. */
    static ByteBuffer sealed(List<byte[]> pieces) {
        int end = joined(pieces.subList(0, 8)).length;
        return sealed(joined(pieces), end - ZEROS.length());
    }

    /** Puts the right checksum into an object whose header was left alone. */
    static ByteBuffer sealed(byte[] object, int checksumAt) {
        byte[] sealed = object.clone();
        byte[] zeros = ZEROS.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(zeros, 0, sealed, checksumAt, zeros.length);
        CRC32C crc = new CRC32C();
        crc.update(sealed);
        String digits = HexFormat.of().toHexDigits((int) crc.getValue());
        System.arraycopy(
                digits.getBytes(StandardCharsets.US_ASCII), 0, sealed, checksumAt, zeros.length);
        return ByteBuffer.wrap(sealed);
    }

    /** Where the checksum stands in an object of ours. */
    static int checksumAt(byte[] object) {
        String key = "batchweave.crc32c";
        String text = new String(object, StandardCharsets.ISO_8859_1);
        return text.indexOf(key) + key.length() + 1;
    }

    /** The one record of an object, as Avro's own tools read it under another schema. */
    static GenericRecord read(ByteBuffer object, Schema as) {
        byte[] bytes = new byte[object.remaining()];
        object.duplicate().get(bytes);
        GenericDatumReader<GenericRecord> reader = new GenericDatumReader<>(null, as);
        try (DataFileReader<GenericRecord> file =
                new DataFileReader<>(new SeekableByteArrayInput(bytes), reader)) {
            return file.next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] body(GenericRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Avro's numbers: zigzag, seven bits a byte, the lowest first. */
    static byte[] number(long value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long left = (value << 1) ^ (value >> 63);
        while ((left & ~0x7fL) != 0) {
            bytes.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        bytes.write((int) left);
        return bytes.toByteArray();
    }

    static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return joined(List.of(number(bytes.length), bytes));
    }

    static byte[] joined(List<byte[]> pieces) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        pieces.forEach(bytes::writeBytes);
        return bytes.toByteArray();
    }

    static byte[] sync() {
        return "BatchWeave-TGB-1".getBytes(StandardCharsets.US_ASCII);
    }
}
