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
        this.slice = GenericRecord.create(element(table, "slices"));
        this.part = GenericRecord.create(element(table, "parts"));
        this.source = GenericRecord.create(element(table, "sources"));
    }

    private static StructType element(Schema table, String list) {
        return table.findType(list).asListType().elementType().asStructType();
    }

    /** The row of a step. */
    Record of(StepRecord step, Provenance provenance) {
        GenericRecord made = row.copy();
        made.setField(StepColumns.STEP, step.step());
        made.setField("version", step.version());
        made.setField("producer", step.claim().producer());
        made.setField("epoch", step.claim().epoch());
        made.setField("sequence", step.claim().sequence());
        made.setField("rows", step.batch().rows());
        made.setField("bytes", step.batch().bytes());
        made.setField("schema_id", step.batch().schemaId());
        made.setField("published_at", step.at().atOffset(ZoneOffset.UTC));
        made.setField(
                "attributes",
                step.batch().counts().stream()
                        .collect(
                                Collectors.toMap(
                                        Count::name, Count::value, (a, b) -> a, TreeMap::new)));
        made.setField("receipt", step.receipt().toHex());
        made.setField("slices", slices(step));
        made.setField("parts", parts(step));
        made.setField("sources", sources(provenance));
        return made;
    }

    private List<Record> slices(StepRecord step) {
        List<Record> all = new ArrayList<>();
        List<Part> parts = step.batch().parts();
        for (int index = 0; index < parts.size(); index++) {
            for (Slice each : parts.get(index).slices()) {
                GenericRecord made = slice.copy();
                made.setField("slice", all.size());
                made.setField("part", index);
                made.setField("offset", each.offset());
                made.setField("length", each.length());
                made.setField("rows", each.rows());
                made.setField("crc32c", Integer.toUnsignedLong(each.crc32c()));
                all.add(made);
            }
        }
        return all;
    }

    private List<Record> parts(StepRecord step) {
        List<Record> all = new ArrayList<>();
        for (Part each : step.batch().parts()) {
            GenericRecord made = part.copy();
            made.setField("part", all.size());
            made.setField("path", layout.part(step.claim(), all.size()));
            made.setField("length", each.length());
            made.setField("digest", each.digest().toHex());
            made.setField("slices", each.slices().size());
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
        made.setField("input", each.input());
        made.setField("length", each.length());
        if (!each.digest().equals(Bytes.EMPTY)) {
            made.setField("digest", each.digest().toHex());
        }
        made.setField("epoch", each.epoch());
        rows.stream()
                .mapToLong(SourceRows::first)
                .min()
                .ifPresent(first -> made.setField("first_row", first));
        rows.stream()
                .mapToLong(some -> some.first() + some.rows() - 1)
                .max()
                .ifPresent(last -> made.setField("last_row", last));
        made.setField("amount", rows.stream().mapToLong(SourceRows::amount).sum());
        return made;
    }
}
