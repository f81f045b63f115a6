package io.batchweave.cli.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.batchweave.cli.ingest.Input;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The rows of a file of JSON objects, one a line. Blank lines are none. */
final class JsonRows implements RowReader {
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(Lines.LINE_BYTES_MAX)
                                    .build())
                    .build();

    private final Input input;
    private final SliceRows slice;
    private final Lines lines;
    private final JsonFields fields;
    private final Utf8 utf8 = new Utf8();

    private JsonRows(Input input, SliceRows slice, Lines lines) {
        this.input = input;
        this.slice = slice;
        this.lines = lines;
        this.fields = new JsonFields(slice.columns().stream().map(JsonValue::new).toList());
    }

    static JsonRows open(Input input, SliceRows slice) {
        RowInput kind = RowInput.of(input);
        Lines lines = Guarded.call(input.path()::toString, () -> Lines.open(input, kind));
        JsonRows rows = new JsonRows(input, slice, lines);
        slice.readFrom(rows::place);
        return rows;
    }

    @Override
    public boolean read() {
        return Guarded.call(this::place, this::readRow);
    }

    private boolean readRow() throws IOException {
        while (lines.next()) {
            int from = byteOrderMark();
            ByteBuffer line = ByteBuffer.wrap(lines.bytes(), from, lines.length() - from);
            if (!utf8.holds(line)) {
                throw refusal("it is not valid UTF-8; convert the file");
            }
            try (JsonParser json =
                    JSON.createParser(line.array(), line.position(), line.remaining())) {
                if (readLine(json)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reads one object, if the line holds anything. */
    private boolean readLine(JsonParser json) throws IOException {
        JsonToken first = json.nextToken();
        if (first == null) {
            return false;
        }
        if (first != JsonToken.START_OBJECT) {
            throw refusal("it is no JSON object; every line has to be one");
        }
        fields.read(json);
        if (json.nextToken() != null) {
            throw refusal("more follows its JSON object; write one object a line");
        }
        slice.endRow();
        return true;
    }

    /** Bytes of the mark that some editors write before the first character. */
    private int byteOrderMark() {
        byte[] bytes = lines.bytes();
        boolean marked =
                lines.number() == 1
                        && lines.length() >= 3
                        && bytes[0] == (byte) 0xEF
                        && bytes[1] == (byte) 0xBB
                        && bytes[2] == (byte) 0xBF;
        return marked ? 3 : 0;
    }

    private String place() {
        return input.path() + " line " + lines.number();
    }

    private InvalidRequestException refusal(String why) {
        return new InvalidRequestException("Cannot ingest " + place() + ": " + why);
    }

    @Override
    public void close() {
        Guarded.call(
                this::place,
                () -> {
                    lines.close();
                    return true;
                });
    }
}
