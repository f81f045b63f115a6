package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Input;
import java.io.IOException;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** The rows of a Parquet file, a row group at a time; only the dataset's columns are read. */
final class ParquetRows implements RowReader {
    /** Of the heap, the part that one row group's compressed columns may take. */
    private static final int HEAP_SHARE = 3;

    private final Input input;
    private final SliceRows slice;
    private ParquetFileReader file;
    private ParquetColumns columns;
    private MessageColumnIO io;
    private RecordReader<Boolean> records;
    private int group = -1;
    private long at;
    private long rows;

    private ParquetRows(Input input, SliceRows slice) {
        this.input = input;
        this.slice = slice;
    }

    static RowReader open(Input input, SliceRows slice) {
        ParquetRows rows = new ParquetRows(input, slice);
        slice.readFrom(rows::place);
        try {
            return Guarded.call(rows::place, rows::opened);
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    private ParquetRows opened() throws IOException {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new ParquetCodecs(heapShare()))
                        .usePageChecksumVerification()
                        .build();
        file = ParquetFileReader.open(new LocalInputFile(input.path()), options);
        MessageType schema = file.getFileMetaData().getSchema();
        columns = ParquetColumns.of(schema, slice.columns());
        file.setRequestedSchema(columns.requested());
        io = new ColumnIOFactory().getColumnIO(columns.requested(), schema);
        return this;
    }

    private static long heapShare() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    @Override
    public boolean read() {
        return Guarded.call(this::place, this::readRow);
    }

    private boolean readRow() throws IOException {
        while (at == rows) {
            if (!nextGroup()) {
                return false;
            }
        }
        records.read();
        slice.endRow();
        at++;
        return true;
    }

    private boolean nextGroup() throws IOException {
        group++;
        if (group >= file.getRowGroups().size()) {
            return false;
        }
        checkSize(file.getRowGroups().get(group));
        PageReadStore pages = file.readNextRowGroup();
        at = 0;
        rows = pages.getRowCount();
        records = io.getRecordReader(pages, columns.materializer());
        return true;
    }

    private void checkSize(BlockMetaData block) throws IOException {
        long bytes = 0;
        for (ColumnChunkMetaData chunk : block.getColumns()) {
            if (columns.requested().containsPath(chunk.getPath().toArray())) {
                bytes = Math.addExact(bytes, Math.max(0, chunk.getTotalSize()));
            }
        }
        if (bytes > heapShare()) {
            throw RowInput.refusal(
                    input,
                    "row group "
                            + group
                            + " has "
                            + bytes
                            + " bytes in the columns that are read, and of this heap "
                            + heapShare()
                            + " can be used; run with BATCHWEAVE_JAVA_OPTS=-Xmx"
                            + (HEAP_SHARE * bytes / (1 << 20) + 64)
                            + "m, or write smaller row groups");
        }
    }

    @Override
    public long leap(long count) {
        return Guarded.call(
                this::place,
                () -> {
                    long passed = 0;
                    while (group + 1 < file.getRowGroups().size()
                            && passed + file.getRowGroups().get(group + 1).getRowCount() <= count) {
                        group++;
                        passed += file.getRowGroups().get(group).getRowCount();
                        file.skipNextRowGroup();
                    }
                    return passed;
                });
    }

    private String place() {
        return input.path() + (group < 0 ? "" : " row group " + group + " row " + at);
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            throw Input.unreadable(input.path(), e);
        }
    }
}
