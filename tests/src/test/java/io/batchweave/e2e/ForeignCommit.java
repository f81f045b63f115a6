package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** A commit as a newer release writes it, made by Avro's own tools and the text of the format. */
final class ForeignCommit {
    private static final String SYNC = "BatchWeave-TGB-1";
    private static final String CHECKSUM_KEY = "batchweave.crc32c";
    private static final int CHECKSUM_DIGITS = 8;

    private ForeignCommit() {}

    /** The first commit of a dataset, that also uses a feature that is {@code whose} to know. */
    static byte[] requiring(byte[] firstCommit, String feature, String whose) {
        GenericRecord commit = read(firstCommit);
        GenericRecord created = (GenericRecord) ((List<?>) commit.get("entries")).get(0);
        Schema features = created.getSchema().getField("features").schema();
        Schema kind = features.getElementType();
        created.put(
                "features",
                List.of(
                        new GenericRecordBuilder(kind)
                                .set("name", feature)
                                .set(
                                        "required_of",
                                        new GenericData.EnumSymbol(
                                                kind.getField("required_of").schema(), whose))
                                .build()));
        return withBody(firstCommit, body(commit));
    }

    private static GenericRecord read(byte[] object) {
        try (DataFileReader<GenericRecord> file =
                new DataFileReader<>(
                        new SeekableByteArrayInput(object), new GenericDatumReader<>())) {
            return file.next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] body(GenericRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The object's own header, then one block of one record, then the right checksum. */
    private static byte[] withBody(byte[] object, byte[] body) {
        String text = new String(object, ISO_8859_1);
        int headerEnd = text.indexOf(SYNC) + SYNC.length();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            out.writeFixed(object, 0, headerEnd);
            out.writeLong(1);
            out.writeLong(body.length);
            out.writeFixed(body);
            out.writeFixed(SYNC.getBytes(US_ASCII));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sealed(bytes.toByteArray(), text.indexOf(CHECKSUM_KEY) + CHECKSUM_KEY.length() + 1);
    }

    private static byte[] sealed(byte[] object, int checksumAt) {
        Arrays.fill(object, checksumAt, checksumAt + CHECKSUM_DIGITS, (byte) '0');
        CRC32C crc = new CRC32C();
        crc.update(object);
        byte[] digits = HexFormat.of().toHexDigits((int) crc.getValue()).getBytes(US_ASCII);
        System.arraycopy(digits, 0, object, checksumAt, CHECKSUM_DIGITS);
        return object;
    }
}
