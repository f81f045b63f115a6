package io.batchweave.cli.rows;

import io.batchweave.cli.files.Locations;
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
 * Parquet and Arrow as the columns of a schema. Memory for those rows and no others, and not for
 * whatever number of them the log says there are.
 */
public final class OriginalRows {
    /** Most rows that are read at a time. */
    private static final long ROWS_MAX = 1 << 20;

    /** Of the heap, the part that they may take: a character has up to two bytes. */
    private static final int HEAP_PARTS = 8;

    private final OriginalInputs inputs;
    private final Function<Input, RowInput> kinds;
    private final PayloadSchema schema;
    private final BufferAllocator allocator;
    private long charsKept;

    private OriginalRows(
            Locations locations,
            Function<Input, RowInput> kinds,
            PayloadSchema schema,
            BufferAllocator allocator) {
        this.inputs = new OriginalInputs(locations);
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
        inputs.lookAt(moved);
    }

    /**
     * The rows, each by its source's index and its number.
     *
     * @throws InvalidRequestException if an input is not there or not as it was, or if they are
     *     more than can be read at a time
     */
    public Map<Integer, Map<Long, String>> read(Provenance provenance, List<SourceRows> wanted) {
        if (wanted.stream().mapToDouble(SourceRows::rows).sum() > ROWS_MAX) {
            throw tooMany("there are more than " + ROWS_MAX + " of them");
        }
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
        Input input = inputs.of(source);
        RowInput kind = kinds.apply(input);
        return kind.lines().isPresent()
                ? lines(input, kind.lines().get(), rows)
                : columns(input, kind, rows);
    }

    private Map<Long, String> lines(Input input, Compression compression, SortedSet<Long> rows) {
        return Guarded.call(
                input::toString,
                () -> {
                    Map<Long, String> found = new HashMap<>();
                    try (Lines lines = Lines.open(input, compression)) {
                        for (long row = -1; row < rows.last() && lines.next(); ) {
                            if (!lines.isBlank() && rows.contains(++row)) {
                                keep(found, row, lines.text());
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
                keep(found, row, json.line(slice.root(), 0));
                slice.clear();
            }
        }
        return found;
    }

    private void keep(Map<Long, String> found, long row, String text) {
        charsKept += text.length();
        if (charsKept > Runtime.getRuntime().maxMemory() / HEAP_PARTS) {
            throw tooMany("they have more characters than the heap has room for");
        }
        found.put(row, text);
    }

    private static InvalidRequestException tooMany(String why) {
        return new InvalidRequestException(
                "Cannot read all of these rows again: " + why + "; name one --slice");
    }
}
