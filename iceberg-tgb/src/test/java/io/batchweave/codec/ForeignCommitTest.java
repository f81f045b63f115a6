package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.codec.OtherSchema.Place;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Commits that other software wrote: older, newer, or not quite ours. */
class ForeignCommitTest {
    private static final String NAME = "memory:/log/7";
    private static final Commit EVERYTHING =
            SampleCommits.of(SampleCommits.entries().toArray(Entry[]::new));

    static List<Place> places() {
        return OtherSchema.places();
    }

    static List<String> records() {
        return OtherSchema.records();
    }

    @Test
    @Tag("LOG-9")
    @Tag("CODEC-3")
    void unknownKindOfEntryAsksForAnUpgrade() {
        OtherSchema newer =
                new OtherSchema()
                        .withEntryKind(
                                """
                                {"type": "record", "name": "Weave",
                                 "fields": [{"name": "lane", "type": "string"}]}
                                """);
        GenericRecord commit = rewritten(EVERYTHING, newer);
        Schema entries = commit.getSchema().getField("entries").schema();
        List<Schema> kinds = entries.getElementType().getTypes();
        GenericRecord weave = new GenericData.Record(kinds.get(kinds.size() - 1));
        weave.put("lane", "math");

        assertThat(decode(commit)).as("of known kinds only").isEqualTo(EVERYTHING);
        commit.put("entries", List.of(weave));
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> decode(commit))
                .withMessage(
                        "Cannot read memory:/log/7: it says 'Weave', which this version of"
                                + " BatchWeave does not know; upgrade BatchWeave");
    }

    @Test
    @Tag("LOG-9")
    void unknownSymbolAsksForAnUpgrade() {
        GenericRecord commit =
                rewritten(EVERYTHING, new OtherSchema().withSymbol("SealCondition", "AT_STEP"));
        GenericRecord seal = (GenericRecord) ((List<?>) commit.get("entries")).get(4);
        Schema conditions = seal.getSchema().getField("condition").schema();

        assertThat(decode(commit)).as("of known symbols only").isEqualTo(EVERYTHING);
        seal.put("condition", new GenericData.EnumSymbol(conditions, "AT_STEP"));
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> decode(commit))
                .withMessageContaining("it says 'AT_STEP'");
    }

    @ParameterizedTest
    @MethodSource("records")
    @Tag("LOG-9")
    @Tag("CODEC-3")
    void fieldsThatANewerWriterAddedArePassedOver(String record) {
        for (String field :
                List.of(
                        "{'name': 'more', 'type': 'string', 'default': 'x'}",
                        "{'name': 'more', 'type': ['null', 'double'], 'default': null}",
                        "{'name': 'more', 'type': {'type': 'map', 'values': 'bytes'}, 'default': {}}",
                        "{'name': 'more', 'type': {'type': 'record', 'name': 'More', 'fields':"
                                + " [{'name': 'x', 'type': 'int'}]}, 'default': {'x': 3}}")) {
            OtherSchema newer = new OtherSchema().withFirstField(record, field.replace('\'', '"'));

            assertThat(decode(rewritten(EVERYTHING, newer))).as(field).isEqualTo(EVERYTHING);
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void orderOfFieldsIsTheWritersAffair(String record) {
        OtherSchema other = new OtherSchema().withFieldsReversed(record);

        assertThat(decode(rewritten(EVERYTHING, other))).isEqualTo(EVERYTHING);
    }

    @ParameterizedTest
    @MethodSource("places")
    void missingFieldIsNamed(Place place) {
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> decode(rewritten(EVERYTHING, new OtherSchema().without(place))))
                .withMessage(
                        "Cannot read memory:/log/7: "
                                + place.record()
                                + " has no field "
                                + place.field());
    }

    /** Avro's arrays may be written in blocks that name their bytes. */
    @Test
    void arraysInBlocksAreReadAlike() throws IOException {
        GenericRecord record = rewritten(EVERYTHING, new OtherSchema());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder blocks =
                new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, blocks);
        blocks.flush();

        assertThat(bytes.toByteArray()).isNotEqualTo(ForeignObjects.body(record));
        assertThat(decode(record.getSchema().toString(), bytes.toByteArray()))
                .isEqualTo(EVERYTHING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Claim  | producer | 'bytes'                              | 0270",
                "Claim  | producer | 'long'                               | 02",
                "Claim  | producer | ['null', 'string']                   | 00",
                "Claim  | epoch    | 'int'                                | 02",
                "Claim  | epoch    | 'string'                             | 0270",
                "Claim  | epoch    | 'double'                             | 0000000000000000",
                "Claim  | epoch    | 'boolean'                            | 01",
                "Claim  | epoch    | ['null', 'long']                     | 00",
                "Finish | progress | 'string'                             | 0270",
                "Finish | progress | {'type': 'array', 'items': 'int'}    | 00",
                "Finish | claim    | 'string'                             | 0270",
                "Finish | claim    | {'type': 'map', 'values': 'long'}    | 00",
                "Finish | claim    | {'type': 'array', 'items': 'Axis'}   | 00",
            })
    void fieldOfAnotherTypeIsNotGuessedAt(String record, String field, String type, String hex) {
        OtherSchema other = new OtherSchema().withType(record, field, type.replace('\'', '"'));
        byte[] body = finishWith(field, HexFormat.of().parseHex(hex));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> decode(other.text(), body))
                .withMessageStartingWith("Cannot read memory:/log/7: " + record + " has ")
                .withMessageContaining(" field " + field);
    }

    @Test
    void fieldOfItsOwnTypeIsRead() {
        byte[] body = finishWith("epoch", ForeignObjects.number(5));

        assertThat(decode(ForeignObjects.ownSchema(), body).entries())
                .containsExactly(new Finish(new Claim("p", 5, 1), Bytes.fromHex("70")));
    }

    /** The body of a commit with one Finish, one of whose fields is written as these bytes. */
    private static byte[] finishWith(String field, byte[] value) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put("producer", ForeignObjects.text("p"));
        fields.put("epoch", ForeignObjects.number(1));
        fields.put("sequence", ForeignObjects.number(1));
        fields.put("progress", ForeignObjects.text("p"));
        if (field.equals("claim")) {
            fields.put("producer", value);
            fields.remove("epoch");
            fields.remove("sequence");
        } else {
            fields.put(field, value);
        }
        byte[] kindIsFinish = {2, 6};
        return ForeignObjects.joined(
                List.of(
                        ForeignObjects.text("c"),
                        ForeignObjects.number(0),
                        ForeignObjects.text("w"),
                        kindIsFinish,
                        ForeignObjects.joined(List.copyOf(fields.values())),
                        ForeignObjects.number(0)));
    }

    @Test
    void valuesThatMakeNoSenseAreCorrupt() {
        GenericRecord commit = rewritten(EVERYTHING, new OtherSchema());
        commit.put("time", -1L);

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> decode(commit))
                .withMessage(
                        "Cannot read memory:/log/7: Invalid commit c-1: its time"
                                + " 1969-12-31T23:59:59.999Z is none that a store tells");
    }

    @Test
    void recordOfAnotherNameIsNoCommit() {
        GenericRecord other = rewritten(EVERYTHING, new OtherSchema().renamed("Commit", "State"));

        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> decode(other))
                .withMessage("Cannot read memory:/log/7: it does not hold one commit");
    }

    @Test
    void objectHoldsOneCommitAndNoMore() {
        String schema = ForeignObjects.ownSchema();
        Commit commit = SampleCommits.of(new Seal(SealCondition.NONE));
        byte[] body = ForeignObjects.body(rewritten(commit, new OtherSchema()));

        assertThat(decode(schema, body)).isEqualTo(commit);
        assertCorrupt(() -> decode(schema));
        assertCorrupt(() -> decode(schema, body, body));
        assertCorrupt(() -> decode(schema, ForeignObjects.joined(List.of(body, new byte[1]))));
    }

    @ParameterizedTest
    @CsvSource({"int", "string", "bytes", "boolean", "double", "null"})
    void whatIsNoRecordIsNoCommit(String type) {
        assertCorrupt(() -> decode('"' + type + '"', new byte[] {0, 0, 0, 0, 0, 0, 0, 0}));
        assertCorrupt(
                () -> decode("{\"type\": \"array\", \"items\": \"" + type + "\"}", new byte[1]));
    }

    private static void assertCorrupt(Runnable reading) {
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(reading::run)
                .satisfies(
                        e ->
                                assertThat(e.getMessage())
                                        .startsWith("Cannot read " + NAME + ": ")
                                        .doesNotContain("\n"));
    }

    /** The same commit as software with the other schema writes it. */
    private static GenericRecord rewritten(Commit commit, OtherSchema other) {
        return ForeignObjects.read(CommitCodec.encode(commit), other.schema());
    }

    private static Commit decode(GenericRecord record) {
        return decode(record.getSchema().toString(), ForeignObjects.body(record));
    }

    private static Commit decode(String schema, byte[]... bodies) {
        ByteBuffer object = ForeignObjects.object(schema, bodies);
        return CommitCodec.decode(object, NAME);
    }
}
