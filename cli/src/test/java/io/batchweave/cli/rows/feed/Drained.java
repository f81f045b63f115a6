package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.inputs.RowRun;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
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
record Drained(List<List<String>> slices, List<Bytes> progress, List<List<RowRun>> runs) {

    /** Reads all there is. */
    static Drained of(PayloadSchema schema, RowSettings settings, Path... files) {
        return from(Bytes.EMPTY, schema, settings, files);
    }

    /** Reads all there is after committed progress. */
    static Drained from(
            Bytes committed, PayloadSchema schema, RowSettings settings, Path... files) {
        return inOrder(RowOrder.AS_GIVEN, committed, schema, settings, files);
    }

    /** Reads all there is after committed progress, in the order asked for. */
    static Drained inOrder(
            RowOrder order,
            Bytes committed,
            PayloadSchema schema,
            RowSettings settings,
            Path... files) {
        return inOrder(order, committed, schema, settings, local(files));
    }

    /** Reads all there is in inputs that may be anywhere. */
    static Drained inOrder(
            RowOrder order,
            Bytes committed,
            PayloadSchema schema,
            RowSettings settings,
            Inputs files) {
        List<List<String>> slices = new ArrayList<>();
        List<Bytes> progress = new ArrayList<>();
        List<List<RowRun>> runs = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        open(
                                OrderedInputs.of(files, order, schema, allocator),
                                committed,
                                settings)) {
            for (VectorSchemaRoot slice = source.next();
                    slice.getRowCount() > 0;
                    slice = source.next()) {
                slices.add(rows(slice));
                progress.add(source.progress());
                runs.add(source.runs());
            }
        }
        return new Drained(slices, progress, runs);
    }

    private static RowSource open(OrderedInputs inputs, Bytes committed, RowSettings settings) {
        return committed.length() == 0
                ? RowSource.start(inputs, settings)
                : RowSource.resume(inputs, settings, committed);
    }

    private static Inputs local(Path... files) {
        return RowSource.inputs(Local.LOCATIONS, Stream.of(files).map(Path::toString).toList());
    }

    /** These files in their order. */
    static OrderedInputs inputs(PayloadSchema schema, BufferAllocator allocator, Path... files) {
        return inputs(RowOrder.AS_GIVEN, schema, allocator, files);
    }

    static OrderedInputs inputs(
            RowOrder order, PayloadSchema schema, BufferAllocator allocator, Path... files) {
        return OrderedInputs.of(local(files), order, schema, allocator);
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
