package io.batchweave.longlife;

import io.batchweave.model.DatasetName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;

/** The table of steps, as an engine sees it. */
public record FoldedView(Catalog catalog, DatasetName dataset) {
    public Table steps() {
        return catalog.loadTable(
                TableIdentifier.of(dataset.namespace(), dataset.name() + "_steps"));
    }

    /** The data files that a query must look into. */
    public List<FileScanTask> files(Expression filter) {
        return all(steps().newScan().filter(filter).planFiles());
    }

    /** The steps that it finds. */
    public List<Long> steps(Expression filter) {
        List<Long> steps = new ArrayList<>();
        for (Record row : all(IcebergGenerics.read(steps()).select("step").where(filter).build())) {
            steps.add((Long) row.getField("step"));
        }
        return steps;
    }

    private static <T> List<T> all(CloseableIterable<T> items) {
        List<T> all = new ArrayList<>();
        try (items) {
            items.forEach(all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
