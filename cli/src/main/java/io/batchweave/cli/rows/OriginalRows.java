package io.batchweave.cli.rows;

import io.batchweave.cli.files.Location;
import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.feed.RowInput;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.text.Compression;
import io.batchweave.cli.rows.text.Lines;
import io.batchweave.cli.rows.text.RowJson;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.payload.PayloadSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows that a provenance speaks of, as JSON: lines as they stand in their input, rows of
 * Parquet and Arrow as the columns of a schema. Memory for those rows and no others.
 */
public final class OriginalRows {
    private final Locations locations;
    private final Function<Input, RowInput> kinds;
    private final PayloadSchema schema;
    private final BufferAllocator allocator;
    private final List<Input> elsewhere = new ArrayList<>();

    private OriginalRows(
            Locations locations,
            Function<Input, RowInput> kinds,
            PayloadSchema schema,
            BufferAllocator allocator) {
        this.locations = locations;
        this.kinds = kinds;
        this.schema = schema;
        this.allocator = allocator;
    }

    /** Rows of these columns. */
    public static OriginalRows of(
            Locations locations, PayloadSchema schema, BufferAllocator allocator) {
        return new OriginalRows(locations, RowInput::of, schema, allocator);
    }

    /** Rows whose text is in these columns; none for text files, and for lines, which are whole. */
    public static OriginalRows ofTexts(
            Locations locations, List<String> fields, BufferAllocator allocator) {
        return new OriginalRows(locations, RowInput::ofText, TextRows.schema(fields), allocator);
    }

    /** Says that an input may lie at this path or URI now; it is known by its content. */
    public void lookAt(String moved) {
        elsewhere.add(input(moved));
    }

    /**
     * The rows, each by its source's index and its number.
     *
     * @throws InvalidRequestException if an input is not there or not as it was
     */
    public Map<Integer, Map<Long, String>> read(Provenance provenance, List<SourceRows> wanted) {
        Map<Integer, SortedSet<Long>> numbers = new TreeMap<>();
        for (SourceRows rows : wanted) {
            SortedSet<Long> known =
                    numbers.computeIfAbsent(rows.source(), index -> new TreeSet<>());
            for (long row = rows.first(); row < rows.first() + rows.rows(); row++) {
                known.add(row);
            }
        }
        Map<Integer, Map<Long, String>> found = new HashMap<>();
        numbers.forEach(
                (source, rows) -> found.put(source, read(provenance.sources().get(source), rows)));
        return found;
    }

    private Map<Long, String> read(Source source, SortedSet<Long> rows) {
        Input input = inputOf(source);
        RowInput kind = kinds.apply(input);
        return kind.lines().isPresent()
                ? lines(input, kind.lines().get(), rows)
                : columns(input, kind, rows);
    }

    /** A file that has grown since is what it was, as far as it goes. */
    private Input inputOf(Source source) {
        for (Input input : elsewhere) {
            if (digest(input, source).equals(source.digest().toHex())) {
                return input;
            }
        }
        Input input = input(source.input());
        String now = digest(input, source);
        if (!now.equals(source.digest().toHex())) {
            throw new InvalidRequestException(
                    "Cannot read the rows of %s again: its first %d bytes had digest %s and have %s; name the file it was with --input"
                            .formatted(input, source.length(), source.digest().toHex(), now));
        }
        return input;
    }

    private static String digest(Input input, Source source) {
        return Fingerprint.of(input, source.length()).digest();
    }

    private Input input(String text) {
        Location location = locations.at(text);
        return new Input(location, location.name());
    }

    private static Map<Long, String> lines(
            Input input, Compression compression, SortedSet<Long> rows) {
        return Guarded.call(
                input::toString,
                () -> {
                    Map<Long, String> found = new HashMap<>();
                    try (Lines lines = Lines.open(input, compression)) {
                        for (long row = -1; row < rows.last() && lines.next(); ) {
                            if (!lines.isBlank() && rows.contains(++row)) {
                                found.put(row, lines.text());
                            }
                        }
                    }
                    return found;
                });
    }

    private Map<Long, String> columns(Input input, RowInput kind, SortedSet<Long> rows) {
        Map<Long, String> found = new HashMap<>();
        RowJson json = new RowJson(schema);
        try (SliceRows slice = new SliceRows(schema, allocator);
                RowReader reader = kind.open(input, slice)) {
            long at = 0;
            for (long row : rows) {
                at += reader.leap(row - at);
                if (at < row || !reader.read()) {
                    break;
                }
                at++;
                found.put(row, json.line(slice.root(), 0));
                slice.clear();
            }
        }
        return found;
    }
}
