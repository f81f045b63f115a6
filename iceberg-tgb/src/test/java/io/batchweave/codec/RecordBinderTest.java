package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.batchweave.model.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records of Java and of Avro, bound by their names alone. */
@Tag("CODEC-3")
class RecordBinderTest {
    private static final Schema POINT =
            SchemaBuilder.record("Point")
                    .fields()
                    .requiredLong("far_away_y")
                    .requiredInt("x")
                    .endRecord();

    public record Point(int x, long farAwayY) {
        public Point {
            if (x == 13) {
                throw new IllegalArgumentException("13 is no x");
            }
            if (x == 14) {
                throw new IllegalStateException("not even a complaint of the right kind");
            }
        }
    }

    record Everything(
            String text, Instant at, Bytes bytes, Shape shape, Colour colour, List<String> words) {}

    sealed interface Shape {}

    record Dot(int size) implements Shape {}

    record Line(int length) implements Shape {}

    enum Colour {
        RED,
        BLUE
    }

    /** Makes classes of its own from those that are there. */
    private static final class Unmet extends ClassLoader {
        Class<?> define(Class<?> type) throws IOException {
            String file = type.getName().replace('.', '/') + ".class";
            try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(type.getName(), bytes, 0, bytes.length);
            }
        }
    }

    @Test
    void fieldsAreBoundByTheirNamesAndNotByTheirOrder() {
        GenericRecord bound = RecordBinder.toAvro(new Point(3, 4), POINT);

        assertThat(bound.get("x")).isEqualTo(3);
        assertThat(bound.get("far_away_y")).isEqualTo(4L);
        assertThat(RecordBinder.fromAvro(bound, Point.class, POINT)).isEqualTo(new Point(3, 4));
    }

    @Test
    void fieldThatAnOlderWriterDidNotKnowHasItsDefault() {
        Schema older = SchemaBuilder.record("Point").fields().requiredInt("x").endRecord();
        Schema newer =
                SchemaBuilder.record("Point")
                        .fields()
                        .requiredInt("x")
                        .name("far_away_y")
                        .type()
                        .longType()
                        .longDefault(9)
                        .endRecord();
        GenericRecord bound = new GenericData.Record(older);
        bound.put("x", 3);

        assertThat(RecordBinder.fromAvro(bound, Point.class, newer)).isEqualTo(new Point(3, 9));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RecordBinder.fromAvro(bound, Point.class, POINT))
                .withMessage("Point has no field far_away_y");
    }

    /** A class of which this process has not bound a record yet, whatever ran before. */
    @Test
    void recordThatWasNeverMetIsBoundAsWell() throws Exception {
        Class<? extends Record> unmet = new Unmet().define(Point.class).asSubclass(Record.class);
        GenericRecord bound = RecordBinder.toAvro(new Point(3, 4), POINT);

        Record read = RecordBinder.fromAvro(bound, unmet, POINT);

        assertThat(read).isInstanceOf(unmet);
        assertThat(RecordBinder.toAvro(read, POINT)).isEqualTo(bound);
    }

    @Test
    void everyKindOfValueGoesThereAndBack() {
        Everything value =
                new Everything(
                        "text",
                        Instant.ofEpochMilli(1_234),
                        Bytes.fromHex("00ff"),
                        new Line(7),
                        Colour.BLUE,
                        List.of("a", "b"));

        GenericRecord bound = RecordBinder.toAvro(value, everything("Dot", "Line"));

        assertThat(bound.get("at")).isEqualTo(1_234L);
        assertThat(bound.get("colour")).hasToString("BLUE");
        assertThat(RecordBinder.fromAvro(bound, Everything.class, bound.getSchema()))
                .isEqualTo(value);
    }

    @Test
    void schemaWithoutABranchForARecordIsOurMistake() {
        Everything value =
                new Everything("", Instant.EPOCH, Bytes.EMPTY, new Line(7), Colour.RED, List.of());

        assertThatIllegalStateException()
                .isThrownBy(() -> RecordBinder.toAvro(value, everything("Dot")))
                .withMessage("The schema has no record Line");
    }

    @Test
    void complaintsOfARecordAreThoseOfTheReader() {
        GenericRecord bound = new GenericData.Record(POINT);
        bound.put("far_away_y", 4L);
        bound.put("x", 13);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RecordBinder.fromAvro(bound, Point.class, POINT))
                .withMessage("13 is no x");

        bound.put("x", 14);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RecordBinder.fromAvro(bound, Point.class, POINT))
                .withCauseInstanceOf(IllegalStateException.class);
    }

    private static Schema everything(String... shapes) {
        List<Schema> branches =
                List.of(shapes).stream()
                        .map(
                                name ->
                                        SchemaBuilder.record(name)
                                                .fields()
                                                .requiredInt(name.equals("Dot") ? "size" : "length")
                                                .endRecord())
                        .toList();
        Schema colours = SchemaBuilder.enumeration("Colour").symbols("BLUE", "RED");
        Schema words = Schema.createArray(Schema.create(Schema.Type.STRING));
        return SchemaBuilder.record("Everything")
                .fields()
                .requiredString("text")
                .requiredLong("at")
                .requiredBytes("bytes")
                .name("shape")
                .type(Schema.createUnion(branches))
                .noDefault()
                .name("colour")
                .type(colours)
                .noDefault()
                .name("words")
                .type(words)
                .noDefault()
                .endRecord();
    }
}
