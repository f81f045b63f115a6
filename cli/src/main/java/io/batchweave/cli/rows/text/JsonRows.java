package io.batchweave.cli.rows.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.cells.Utf8;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.Index;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.reader.Stretch;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The rows of a file of JSON objects, one a line. Blank lines are none. */
public final class JsonRows implements RowReader {
    /** Rows of a stretch: few enough to mix well, and enough to be worth a seek. */
    static final int STRETCH_ROWS = 1 << 10;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(JsonLine.BYTES_MAX)
                                    .build())
                    .build();

    private final Input input;
    private final SliceRows slice;
    private final Compression compression;
    private final JsonFields fields;
    private final Utf8 utf8 = new Utf8();
    private Lines lines;

    private JsonRows(Input input, SliceRows slice, Compression compression, Lines lines) {
        this.input = input;
        this.slice = slice;
        this.compression = compression;
        this.lines = lines;
        this.fields = new JsonFields(slice.columns().stream().map(JsonValue::new).toList());
    }

    public static JsonRows open(Input input, Compression compression, SliceRows slice) {
        Lines lines = Guarded.call(input::toString, () -> Lines.open(input, compression));
        JsonRows rows = new JsonRows(input, slice, compression, lines);
        slice.readFrom(rows::place);
        return rows;
    }

    @Override
    public boolean read() {
        return Guarded.call(this::place, this::readRow);
    }

    private boolean readRow() throws IOException {
        while (lines.next()) {
            ByteBuffer line =
                    ByteBuffer.wrap(lines.bytes(), lines.start(), lines.end() - lines.start());
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

    @Override
    public long leap(long rows) {
        return Guarded.call(
                this::place,
                () -> {
                    long passed = 0;
                    while (passed < rows && lines.next()) {
                        passed += lines.isBlank() ? 0 : 1;
                    }
                    return passed;
                });
    }

    /** The fingerprint and the stretches of an input, by reading it once. */
    public static Index index(Input input, Compression compression) {
        return Guarded.call(
                input::toString,
                () -> {
                    try (Fingerprint.Passing bytes = new Fingerprint.Passing(input.stream());
                            Lines lines = Lines.of(input, bytes, compression)) {
                        List<Stretch> stretches = stretches(lines, compression);
                        return new Index(bytes.rest(), stretches);
                    }
                });
    }

    @Override
    public List<Stretch> stretches() {
        return Guarded.call(this::place, () -> stretches(lines, compression));
    }

    /** Plain lines can be found by their offset; what is compressed is one stretch. */
    private static List<Stretch> stretches(Lines lines, Compression compression)
            throws IOException {
        long most = compression == Compression.NONE ? STRETCH_ROWS : Long.MAX_VALUE;
        List<Stretch> stretches = new ArrayList<>();
        long rows = 0;
        long offset = 0;
        long before = 0;
        while (lines.next()) {
            rows += lines.isBlank() ? 0 : 1;
            if (rows == most) {
                stretches.add(new Stretch(stretches.size(), rows, offset, before));
                rows = 0;
                offset = lines.offset();
                before = lines.number();
            }
        }
        stretches.add(new Stretch(stretches.size(), rows, offset, before));
        return stretches;
    }

    @Override
    public void seek(Stretch stretch) {
        Guarded.call(
                this::place,
                () -> {
                    lines.close();
                    lines = Lines.open(input, compression, stretch);
                    return true;
                });
    }

    private String place() {
        return lines.place();
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
