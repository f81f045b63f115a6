package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Inputs;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a source of rows gave, slice by slice, in words. */
record Drained(List<List<String>> slices, List<Bytes> progress) {

    /** Reads all there is. */
    static Drained of(PayloadSchema schema, RowSettings settings, Path... files) {
        return from(Bytes.EMPTY, schema, settings, files);
    }

    /** Reads all there is after committed progress. */
    static Drained from(
            Bytes committed, PayloadSchema schema, RowSettings settings, Path... files) {
        Inputs inputs = RowSource.inputs(Stream.of(files).map(Path::toString).toList());
        List<List<String>> slices = new ArrayList<>();
        List<Bytes> progress = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source = open(committed, inputs, settings, schema, allocator)) {
            for (VectorSchemaRoot slice = source.next();
                    slice.getRowCount() > 0;
                    slice = source.next()) {
                slices.add(rows(slice));
                progress.add(source.progress());
            }
        }
        return new Drained(slices, progress);
    }

    private static RowSource open(
            Bytes committed,
            Inputs inputs,
            RowSettings settings,
            PayloadSchema schema,
            BufferAllocator allocator) {
        return committed.length() == 0
                ? RowSource.start(inputs, settings, schema, allocator)
                : RowSource.resume(inputs, settings, schema, allocator, committed);
    }

    static List<String> rows(VectorSchemaRoot slice) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < slice.getRowCount(); row++) {
            List<String> values = new ArrayList<>();
            for (FieldVector vector : slice.getFieldVectors()) {
                values.add(text(vector.getObject(row)));
            }
            rows.add(String.join("|", values));
        }
        return rows;
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? Bytes.copyOf(bytes).toHex() : String.valueOf(value);
    }

    List<String> rows() {
        return slices.stream().flatMap(List::stream).toList();
    }
}
