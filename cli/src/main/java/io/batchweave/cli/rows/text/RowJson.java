package io.batchweave.cli.rows.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.batchweave.payload.PayloadSchema;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** Writes rows as the JSON lines from which {@link JsonValue} reads the same rows. */
public final class RowJson {
    private static final JsonFactory JSON = new JsonFactory();

    private final List<NestedField> fields;

    public RowJson(PayloadSchema schema) {
        this.fields = schema.iceberg().columns();
    }

    /** One row as one line, without its end. */
    public String line(VectorSchemaRoot rows, int row) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            write(json, fields, rows.getFieldVectors(), row);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory does not fail", e);
        }
        return line.toString();
    }

    private void write(
            JsonGenerator json,
            List<NestedField> columns,
            List<? extends FieldVector> vectors,
            int row)
            throws IOException {
        json.writeStartObject();
        for (int i = 0; i < columns.size(); i++) {
            json.writeFieldName(columns.get(i).name());
            write(json, columns.get(i).type(), vectors.get(i), row);
        }
        json.writeEndObject();
    }

    private void write(JsonGenerator json, Type type, FieldVector vector, int row)
            throws IOException {
        if (vector.isNull(row)) {
            json.writeNull();
            return;
        }
        switch (type.typeId()) {
            case BOOLEAN -> json.writeBoolean(((BitVector) vector).get(row) == 1);
            case INTEGER -> json.writeNumber(((IntVector) vector).get(row));
            case LONG -> json.writeNumber(((BigIntVector) vector).get(row));
            case FLOAT -> writeFloat(json, ((Float4Vector) vector).get(row));
            case DOUBLE -> writeDouble(json, ((Float8Vector) vector).get(row));
            case DECIMAL -> {
                BigDecimal exact = ((DecimalVector) vector).getObject(row);
                json.writeString(exact.toPlainString());
            }
            case DATE -> json.writeString(LocalDate.ofEpochDay(whole(vector, row)).toString());
            case TIME ->
                    json.writeString(LocalTime.ofNanoOfDay(1_000 * whole(vector, row)).toString());
            case TIMESTAMP ->
                    writeTime(
                            json,
                            Instant.EPOCH.plus(whole(vector, row), ChronoUnit.MICROS),
                            ((Types.TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO ->
                    writeTime(
                            json,
                            Instant.EPOCH.plusNanos(whole(vector, row)),
                            ((Types.TimestampNanoType) type).shouldAdjustToUTC());
            case STRING -> json.writeString(((VarCharVector) vector).getObject(row).toString());
            case UUID -> {
                ByteBuffer bytes = ByteBuffer.wrap(((FixedSizeBinaryVector) vector).get(row));
                json.writeString(new UUID(bytes.getLong(), bytes.getLong()).toString());
            }
            case FIXED -> json.writeString(base64(((FixedSizeBinaryVector) vector).get(row)));
            case BINARY -> json.writeString(base64(((VarBinaryVector) vector).get(row)));
            case LIST -> writeList(json, type.asListType().elementType(), (ListVector) vector, row);
            case MAP -> {
                Type entry =
                        Types.StructType.of(
                                Types.NestedField.required(0, "key", type.asMapType().keyType()),
                                Types.NestedField.optional(
                                        1, "value", type.asMapType().valueType()));
                writeList(json, entry, (ListVector) vector, row);
            }
            case STRUCT ->
                    write(
                            json,
                            type.asStructType().fields(),
                            ((StructVector) vector).getChildrenFromFields(),
                            row);
            default -> throw new IllegalStateException("No column is of type " + type);
        }
    }

    private void writeList(JsonGenerator json, Type element, ListVector list, int row)
            throws IOException {
        json.writeStartArray();
        for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
            write(json, element, list.getDataVector(), i);
        }
        json.writeEndArray();
    }

    private static void writeFloat(JsonGenerator json, float value) throws IOException {
        if (Float.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeString(Float.toString(value));
        }
    }

    private static void writeDouble(JsonGenerator json, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeString(Double.toString(value));
        }
    }

    private static void writeTime(JsonGenerator json, Instant time, boolean isInUtc)
            throws IOException {
        json.writeString(
                isInUtc
                        ? time.toString()
                        : LocalDateTime.ofInstant(time, ZoneOffset.UTC).toString());
    }

    /** A number of days or of parts of a second, whichever vector it is in. */
    private static long whole(FieldVector vector, int row) {
        int width = ((BaseFixedWidthVector) vector).getTypeWidth();
        long at = (long) row * width;
        return width == Integer.BYTES
                ? vector.getDataBuffer().getInt(at)
                : vector.getDataBuffer().getLong(at);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
