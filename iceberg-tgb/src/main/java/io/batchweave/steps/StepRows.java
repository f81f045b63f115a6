package io.batchweave.steps;

import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.Slice;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.state.StepRecord;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types.StructType;

/** Steps as rows of a table, whatever ids its fields have there. */
final class StepRows {
    private final Layout layout;
    private final GenericRecord row;
    private final GenericRecord slice;
    private final GenericRecord part;
    private final GenericRecord source;

    StepRows(Layout layout, Schema table) {
        this.layout = layout;
        this.row = GenericRecord.create(table);
        this.slice = GenericRecord.create(element(table, StepColumns.SLICES));
        this.part = GenericRecord.create(element(table, StepColumns.PARTS));
        this.source = GenericRecord.create(element(table, StepColumns.SOURCES));
    }

    private static StructType element(Schema table, String list) {
        return table.findType(list).asListType().elementType().asStructType();
    }

    /** The row of a step. */
    Record of(StepRecord step, Provenance provenance) {
        GenericRecord made = row.copy();
        made.setField(StepColumns.STEP, step.step());
        made.setField(StepColumns.VERSION, step.version());
        made.setField(StepColumns.PRODUCER, step.claim().producer());
        made.setField(StepColumns.EPOCH, step.claim().epoch());
        made.setField(StepColumns.SEQUENCE, step.claim().sequence());
        made.setField(StepColumns.ROWS, step.batch().rows());
        made.setField(StepColumns.BYTES, step.batch().bytes());
        made.setField(StepColumns.SCHEMA_ID, step.batch().schemaId());
        made.setField(StepColumns.PUBLISHED_AT, step.at().atOffset(ZoneOffset.UTC));
        made.setField(
                StepColumns.ATTRIBUTES,
                step.batch().counts().stream()
                        .collect(
                                Collectors.toMap(
                                        Count::name, Count::value, (a, b) -> a, TreeMap::new)));
        made.setField(StepColumns.RECEIPT, step.receipt().toHex());
        made.setField(StepColumns.SLICES, slices(step));
        made.setField(StepColumns.PARTS, parts(step));
        made.setField(StepColumns.SOURCES, sources(provenance));
        return made;
    }

    private List<Record> slices(StepRecord step) {
        List<Record> all = new ArrayList<>();
        List<Part> parts = step.batch().parts();
        for (int index = 0; index < parts.size(); index++) {
            for (Slice each : parts.get(index).slices()) {
                GenericRecord made = slice.copy();
                made.setField(StepColumns.SLICE, all.size());
                made.setField(StepColumns.PART, index);
                made.setField(StepColumns.OFFSET, each.offset());
                made.setField(StepColumns.LENGTH, each.length());
                made.setField(StepColumns.ROWS, each.rows());
                made.setField(StepColumns.CRC32C, Integer.toUnsignedLong(each.crc32c()));
                all.add(made);
            }
        }
        return all;
    }

    private List<Record> parts(StepRecord step) {
        List<Record> all = new ArrayList<>();
        for (Part each : step.batch().parts()) {
            GenericRecord made = part.copy();
            made.setField(StepColumns.PART, all.size());
            made.setField(StepColumns.PATH, layout.part(step.claim(), all.size()));
            made.setField(StepColumns.LENGTH, each.length());
            made.setField(StepColumns.DIGEST, each.digest().toHex());
            made.setField(StepColumns.SLICES, each.slices().size());
            all.add(made);
        }
        return all;
    }

    private List<Record> sources(Provenance provenance) {
        List<Record> all = new ArrayList<>();
        for (Source each : provenance.sources()) {
            int index = all.size();
            List<SourceRows> rows =
                    provenance.rows().stream().filter(some -> some.source() == index).toList();
            all.add(source(each, rows));
        }
        return all;
    }

    private Record source(Source each, List<SourceRows> rows) {
        GenericRecord made = source.copy();
        made.setField(StepColumns.INPUT, each.input());
        made.setField(StepColumns.LENGTH, each.length());
        if (!each.digest().equals(Bytes.EMPTY)) {
            made.setField(StepColumns.DIGEST, each.digest().toHex());
        }
        made.setField(StepColumns.EPOCH, each.epoch());
        rows.stream()
                .mapToLong(SourceRows::first)
                .min()
                .ifPresent(first -> made.setField(StepColumns.FIRST_ROW, first));
        rows.stream()
                .mapToLong(some -> some.first() + some.rows() - 1)
                .max()
                .ifPresent(last -> made.setField(StepColumns.LAST_ROW, last));
        made.setField(StepColumns.AMOUNT, rows.stream().mapToLong(SourceRows::amount).sum());
        return made;
    }
}
