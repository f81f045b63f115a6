package io.batchweave.steps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A data file that is being written, in the order of the table's key. Memory: one row group. */
final class RowFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RowFile.class);

    private final Table table;
    private final String path;
    private final DataWriter<Record> writer;
    private long rows;

    /** Begins a file of this name, without its ending. */
    RowFile(Table table, String name) {
        this.table = table;
        this.path = table.locationProvider().newDataLocation(FileFormat.PARQUET.addExtension(name));
        try {
            writer =
                    Parquet.writeData(table.io().newOutputFile(path))
                            .forTable(table)
                            .withSpec(PartitionSpec.unpartitioned())
                            .metricsConfig(
                                    MetricsConfig.from(
                                            ViewTable.metrics(table.schema()),
                                            table.schema(),
                                            order(table)))
                            .withSortOrder(order(table))
                            .createWriterFunc(GenericParquetWriter::create)
                            .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * That of the table, unless somebody gave it another one: rows come in the order of the key.
     */
    private static SortOrder order(Table table) {
        return Stream.of(ViewTable.values()).anyMatch(kind -> kind.isSortedBy(table))
                ? table.sortOrder()
                : SortOrder.unsorted();
    }

    void write(Record row) {
        writer.write(row);
        rows++;
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return writer.length();
    }

    /** Ends the file; it is in no table yet. */
    DataFile finish() {
        close();
        return writer.toDataFile();
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives up a file that is not finished: nobody will ask for it. */
    void abandon() {
        try {
            close();
            table.io().deleteFile(path);
        } catch (RuntimeException e) {
            LOG.debug("A file that was not finished stays: {}", path, e);
        }
    }

    /** The rows of a file, as they lie in it. */
    static CloseableIterable<Record> read(Table table, DataFile file, Schema columns) {
        return Parquet.read(table.io().newInputFile(file.location()))
                .project(columns)
                .createReaderFunc(
                        (Schema schema, org.apache.parquet.schema.MessageType there) ->
                                GenericParquetReaders.buildReader(schema, there))
                .build();
    }
}
