package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The form of an object, piece by piece; every checksum here is right. */
@Tag("CODEC-1")
class AvroObjectTest {
    private static final Schema NUMBER =
            SchemaBuilder.record("Number").fields().requiredLong("value").endRecord();
    private static final String TEXT = SchemaNormalization.toParsingForm(NUMBER);

    @Test
    void objectIsPutTogetherAsTheFormatSays() {
        ByteBuffer expected =
                ForeignObjects.object(
                        TEXT, ForeignObjects.number(7), ForeignObjects.number(1L << 40));

        byte[] encoded = AvroObject.encode(NUMBER, List.of(number(7), number(1L << 40)));

        assertThat(encoded).isEqualTo(bytes(expected));
        assertThat(AvroObject.decode(expected, "x")).containsExactly(number(7), number(1L << 40));
    }

    @Test
    void objectOfNoRecordsIsWhole() {
        ByteBuffer empty = ForeignObjects.sealed(ForeignObjects.pieces(TEXT));

        assertThat(AvroObject.encode(NUMBER, List.of())).isEqualTo(bytes(empty));
        assertThat(AvroObject.decode(empty, "x")).isEmpty();
    }

    /** One that this process has not met yet. */
    @Test
    void anySchemaIsWrittenInItsCanonicalForm() {
        Schema schema =
                SchemaBuilder.record("R" + World.real().newId().replace("-", ""))
                        .doc("left out")
                        .fields()
                        .requiredLong("value")
                        .endRecord();
        GenericRecord record = new GenericData.Record(schema);
        record.put("value", 7L);

        byte[] encoded = AvroObject.encode(schema, List.of(record));

        assertThat(encoded)
                .isEqualTo(
                        bytes(
                                ForeignObjects.object(
                                        SchemaNormalization.toParsingForm(schema),
                                        ForeignObjects.number(7))));
        assertThat(AvroObject.decode(ByteBuffer.wrap(encoded), "x").get(0).get("value"))
                .isEqualTo(7L);
    }

    /** However many schemas there are, each object is read by its own. */
    @Test
    void everyObjectIsReadByItsOwnSchema() {
        IntStream.range(0, 200)
                .forEach(
                        i -> {
                            String schema = TEXT.replace("value", "value" + i);
                            ByteBuffer object =
                                    ForeignObjects.object(schema, ForeignObjects.number(i));
                            assertThat(AvroObject.decode(object, "x").get(0).get("value" + i))
                                    .isEqualTo((long) i);
                        });
    }

    @Test
    void everyPieceOfTheHeaderIsAsTheFormatSays() {
        assertRefused(
                with(0, new byte[] {'O', 'b', 'j', 2}), "it does not start as an Avro object");
        assertRefused(with(1, ForeignObjects.number(4)), "its header is not ours");
        assertRefused(with(1, ForeignObjects.number(2)), "its header is not ours");
        assertRefused(with(2, text("avro.kodec")), "its header names another codec");
        assertRefused(with(2, text("avro.codecs")), "its header names another codec");
        assertRefused(with(3, text("gzip")), "its header names another codec");
        assertRefused(with(3, text("nul")), "its header names another codec");
        assertRefused(with(4, text("avro.schemo")), "its header has no schema");
        assertRefused(with(6, text("batchweave.crc32d")), "its header has no checksum");
        assertRefused(with(8, ForeignObjects.number(1)), "its header does not end as ours");
        assertRefused(with(9, "BatchWeave-TGB-2"), "its header does not end as ours");
    }

    @Test
    void checksumHasEightDigits() {
        for (int digits : new int[] {0, 7, 9, 64}) {
            byte[] object = ForeignObjects.joined(with(7, text("0".repeat(digits))));

            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(() -> AvroObject.decode(ByteBuffer.wrap(object), "x"))
                    .withMessageContaining("its checksum has " + digits + " digits");
        }
    }

    @Test
    @Tag("CODEC-2")
    void checksumIsComparedBeforeTheRestIsLookedAt() {
        byte[] object = ForeignObjects.joined(with(5, text("no schema")));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> AvroObject.decode(ByteBuffer.wrap(object), "x"))
                .withMessageMatching(
                        "Cannot read x: its CRC-32C is [0-9a-f]{8}, its header says 00000000; the"
                                + " object was damaged after it was written");
        assertRefused(with(5, text("no schema")), "its schema makes no sense");
    }

    @Test
    void everyPieceOfABlockIsAsTheFormatSays() {
        byte[] one = ForeignObjects.number(1);
        byte[] body = ForeignObjects.number(7);
        byte[] sync = ForeignObjects.sync();

        assertThat(AvroObject.decode(ForeignObjects.sealed(withBlock(one, one, body, sync)), "x"))
                .containsExactly(number(7));
        assertRefused(
                withBlock(ForeignObjects.number(2), one, body, sync),
                "a block has other than one record");
        assertRefused(
                withBlock(ForeignObjects.number(0), one, body, sync),
                "a block has other than one record");
        assertRefused(
                withBlock(one, ForeignObjects.number(2), new byte[] {14, 0}, sync),
                "a block is longer than its record");
        assertRefused(
                withBlock(one, ForeignObjects.number(0), new byte[0], sync),
                "a record does not have its schema");
        assertRefused(
                withBlock(one, ForeignObjects.number(-1), body, sync),
                "it has a length of -1 bytes");
        assertRefused(
                withBlock(one, ForeignObjects.number(1 << 20), body, sync),
                "it has a length of 1048576 bytes");
        assertRefused(
                withBlock(one, ForeignObjects.number(40), body, sync),
                "it is no whole Avro object");
        assertRefused(
                withBlock(one, one, body, text("BatchWeave-TGB-")),
                "a block does not end with the sync marker");
        assertRefused(withBlock(one, one, body), "it is no whole Avro object");
        assertRefused(withBlock(one), "it is no whole Avro object");
    }

    private static GenericRecord number(long value) {
        GenericRecord record = new GenericData.Record(NUMBER);
        record.put("value", value);
        return record;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static byte[] text(String text) {
        return ForeignObjects.text(text);
    }

    private static List<byte[]> with(int place, String ascii) {
        return with(place, ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private static List<byte[]> with(int place, byte[] piece) {
        List<byte[]> pieces = new ArrayList<>(ForeignObjects.pieces(TEXT));
        pieces.set(place, piece);
        return pieces;
    }

    private static List<byte[]> withBlock(byte[]... block) {
        List<byte[]> pieces = new ArrayList<>(ForeignObjects.pieces(TEXT));
        pieces.addAll(Arrays.asList(block));
        return pieces;
    }

    private static void assertRefused(List<byte[]> pieces, String why) {
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> AvroObject.decode(ForeignObjects.sealed(pieces), "x"))
                .withMessage(
                        "Cannot read x: " + why + "; the object was damaged after it was written");
    }
}
