package io.batchweave.cli.rows.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;

/**
 * Reads JSON values of one column: the column's type says what is expected.
 *
 * <p>Numbers that JSON has no form of are the strings {@code "NaN"}, {@code "Infinity"} and {@code
 * "-Infinity"}; binaries are Base64; dates and times are as in ISO 8601; decimals are numbers or
 * strings of them; a map is an object if its keys are strings, and always may be a list of objects
 * with {@code key} and {@code value}.
 */
final class JsonValue {
    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private final Cells cells;
    private final List<JsonValue> children;
    private final JsonFields fields;

    JsonValue(Cells cells) {
        this.cells = cells;
        this.children = cells.children().stream().map(JsonValue::new).toList();
        this.fields = new JsonFields(children);
    }

    Cells cells() {
        return cells;
    }

    /** Reads the value whose first token is the current one. */
    void read(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            cells.nothing();
            return;
        }
        if (cells.takesLists() && json.currentToken() == JsonToken.START_ARRAY) {
            readList(json);
            return;
        }
        switch (cells.type().typeId()) {
            case BOOLEAN -> readBoolean(json);
            case INTEGER, LONG -> cells.whole(whole(json));
            case FLOAT, DOUBLE -> readFloating(json);
            case DECIMAL -> cells.exact(decimal(json));
            case DATE -> cells.whole(IsoTime.day(text(json), cells));
            case TIME -> cells.whole(IsoTime.timeOfDayUs(text(json), cells));
            case TIMESTAMP -> readTimestamp(json, TimestampType.withZone().equals(cells.type()));
            case TIMESTAMP_NANO ->
                    readTimestamp(json, TimestampNanoType.withZone().equals(cells.type()));
            case STRING -> readString(json);
            case UUID -> cells.raw(uuid(text(json)));
            case FIXED, BINARY -> readBinary(json);
            case MAP -> readMap(json);
            case STRUCT -> readStruct(json);
            default -> throw unfit(json);
        }
    }

    private void readBoolean(JsonParser json) throws IOException {
        if (!json.currentToken().isBoolean()) {
            throw unfit(json);
        }
        cells.flag(json.getBooleanValue() ? 1 : 0);
    }

    private long whole(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw unfit(json);
        }
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw cells.refusal(brief(json) + " is out of the range of " + cells.type());
        }
        return json.getLongValue();
    }

    /** A number with a fraction means the nearest float or double; an integer means itself. */
    private void readFloating(JsonParser json) throws IOException {
        boolean single = cells.type().typeId() == TypeID.FLOAT;
        if (json.currentToken() == JsonToken.VALUE_STRING && NOT_FINITE.contains(json.getText())) {
            append(Double.parseDouble(json.getText()));
            return;
        }
        if (!json.currentToken().isNumeric()) {
            throw unfit(json);
        }
        String text = json.getText();
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        boolean isInteger = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
        if (Double.isInfinite(value)
                || (isInteger && new BigDecimal(value).compareTo(new BigDecimal(text)) != 0)) {
            throw cells.refusal(brief(json) + " is no value of type " + cells.type());
        }
        append(value);
    }

    private void append(double value) {
        if (cells.type().typeId() == TypeID.FLOAT) {
            cells.single((float) value);
        } else {
            cells.real(value);
        }
    }

    private BigDecimal decimal(JsonParser json) throws IOException {
        boolean isText = json.currentToken() == JsonToken.VALUE_STRING;
        if (!isText && !json.currentToken().isNumeric()) {
            throw unfit(json);
        }
        try {
            return new BigDecimal(json.getText());
        } catch (NumberFormatException e) {
            throw unfit(json);
        }
    }

    private void readTimestamp(JsonParser json, boolean inUtc) throws IOException {
        boolean nanos = cells.type().typeId() == TypeID.TIMESTAMP_NANO;
        cells.whole(
                inUtc
                        ? IsoTime.instant(text(json), nanos ? 1 : 1_000, cells)
                        : IsoTime.local(text(json), nanos ? 1 : 1_000, cells));
    }

    private void readString(JsonParser json) throws IOException {
        try {
            cells.raw(UTF_8.newEncoder().encode(CharBuffer.wrap(text(json))));
        } catch (CharacterCodingException e) {
            throw cells.refusal("its text has half a surrogate pair, which UTF-8 cannot carry");
        }
    }

    private ByteBuffer uuid(String text) {
        String hex = text.replace("-", "");
        String form = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
        if (!text.matches(form)) {
            throw cells.refusal("'" + brief(text) + "' is no UUID");
        }
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private void readBinary(JsonParser json) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text(json));
        } catch (IllegalArgumentException e) {
            throw cells.refusal("its text is no Base64 (" + e.getMessage() + ")");
        }
        cells.raw(ByteBuffer.wrap(bytes));
    }

    private void readList(JsonParser json) throws IOException {
        cells.open();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            children.get(0).read(json);
        }
        cells.close();
    }

    private void readMap(JsonParser json) throws IOException {
        boolean byName = cells.children().get(0).type().typeId() == TypeID.STRING;
        cells.open();
        if (byName && json.currentToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                children.get(0).readString(json);
                json.nextToken();
                children.get(1).read(json);
            }
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                readPair(json);
            }
        } else {
            throw unfit(json);
        }
        cells.close();
    }

    private void readPair(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw unfit(json);
        }
        int before = cells.children().get(0).count();
        fields.read(json);
        for (Cells each : cells.children()) {
            if (each.count() == before) {
                each.nothing();
            }
        }
    }

    private void readStruct(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw unfit(json);
        }
        cells.open();
        fields.read(json);
        cells.close();
    }

    private String text(JsonParser json) throws IOException {
        boolean isName = json.currentToken() == JsonToken.FIELD_NAME;
        if (!isName && json.currentToken() != JsonToken.VALUE_STRING) {
            throw unfit(json);
        }
        return json.getText();
    }

    private InvalidRequestException unfit(JsonParser json) throws IOException {
        return cells.refusal("it is " + cells.declared() + " and the value is " + brief(json));
    }

    private static String brief(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "the text '" + brief(json.getText()) + "'";
            default -> brief(json.getText());
        };
    }

    private static String brief(String text) {
        return Names.printable(text);
    }
}
