package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.reader.Stretch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.filter.RecordFilter;
import org.apache.parquet.filter.UnboundRecordFilter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** The rows of a Parquet file, a row group at a time; only the dataset's columns are read. */
public final class ParquetRows implements RowReader {
    /** Of the heap, the part that one row group's compressed columns may take. */
    private static final int HEAP_SHARE = 3;

    private final Input input;
    private final SliceRows slice;
    private ParquetFileReader file;
    private ParquetColumns columns;
    private MessageColumnIO io;
    private RecordReader<Boolean> records;
    private Passing passing = new Passing();
    private int group = -1;
    private long at;
    private long rows;

    private ParquetRows(Input input, SliceRows slice) {
        this.input = input;
        this.slice = slice;
    }

    public static RowReader open(Input input, SliceRows slice) {
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
        file = ParquetFileReader.open(new ParquetInput(input), options);
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
        at = 0;
        rows = 0;
        if (group >= file.getRowGroups().size()) {
            return false;
        }
        load();
        return true;
    }

    private void load() throws IOException {
        BlockMetaData block = file.getRowGroups().get(group);
        if (block.getRowCount() == 0) {
            return;
        }
        checkSize(block);
        PageReadStore pages = file.readRowGroup(group);
        rows = pages.getRowCount();
        passing = new Passing();
        records = io.getRecordReader(pages, columns.materializer(), FilterCompat.get(passing));
    }

    /** Lets the library pass over rows without making values of them. */
    private static final class Passing implements UnboundRecordFilter, RecordFilter {
        private long left;

        @Override
        public RecordFilter bind(Iterable<ColumnReader> readers) {
            return this;
        }

        @Override
        public boolean isMatch() {
            return left-- <= 0;
        }

        void pass(long count) {
            left = Math.max(0, left) + count;
        }
    }

    private void checkSize(BlockMetaData block) throws IOException {
        long bytes = 0;
        for (ColumnChunkMetaData chunk : block.getColumns()) {
            if (columns.requested().containsPath(chunk.getPath().toArray())) {
                bytes = Math.addExact(bytes, Math.max(0, chunk.getTotalSize()));
            }
        }
        if (bytes > heapShare()) {
            throw Guarded.refusal(
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
                    while (passed < count && (at < rows || nextGroup(count - passed))) {
                        long step = Math.min(count - passed, rows - at);
                        passing.pass(step);
                        at += step;
                        passed += step;
                    }
                    return passed;
                });
    }

    /** Moves to the next group, and does not read it if all of it is to be passed over. */
    private boolean nextGroup(long passed) throws IOException {
        boolean whole =
                group + 1 < file.getRowGroups().size()
                        && file.getRowGroups().get(group + 1).getRowCount() <= passed;
        if (!whole) {
            return nextGroup();
        }
        group++;
        at = 0;
        rows = file.getRowGroups().get(group).getRowCount();
        return true;
    }

    @Override
    public List<Stretch> stretches() {
        return Guarded.call(
                this::place,
                () -> {
                    List<Stretch> stretches = new ArrayList<>();
                    for (BlockMetaData block : file.getRowGroups()) {
                        stretches.add(Stretch.of(stretches.size(), block.getRowCount()));
                    }
                    return stretches;
                });
    }

    @Override
    public void seek(Stretch stretch) {
        Guarded.call(
                this::place,
                () -> {
                    group = stretch.index() - 1;
                    return nextGroup();
                });
    }

    private String place() {
        return input + (group < 0 ? "" : " row group " + group + " row " + at);
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            throw input.unreadable(e);
        }
    }
}
