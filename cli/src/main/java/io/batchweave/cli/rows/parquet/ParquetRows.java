package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.reader.Stretch;
import io.batchweave.model.Names;
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
import org.apache.parquet.schema.Type;

/** The rows of a Parquet file, a row group at a time; only the dataset's columns are read. */
public final class ParquetRows implements RowReader {
    private final Input input;
    private final SliceRows slice;
    private final HeapShare heap;
    private ParquetFileReader file;
    private ParquetColumns columns;
    private MessageColumnIO io;
    private RecordReader<Boolean> records;
    private Passing passing = new Passing();
    private int group = -1;
    private long at;
    private long rows;
    private String column = "";

    private ParquetRows(Input input, SliceRows slice, HeapShare heap) {
        this.input = input;
        this.slice = slice;
        this.heap = heap;
    }

    public static RowReader open(Input input, SliceRows slice) {
        return open(input, slice, HeapShare.ofThisHeap());
    }

    /** The same; a page, and a row group's compressed columns, may take so much of the heap. */
    static RowReader open(Input input, SliceRows slice, HeapShare heap) {
        ParquetRows rows = new ParquetRows(input, slice, heap);
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
                        .withCodecFactory(new ParquetCodecs(heap, this::place))
                        .usePageChecksumVerification()
                        .build();
        file = ParquetFileReader.open(new ParquetInput(input), options);
        MessageType schema = file.getFileMetaData().getSchema();
        columns = ParquetColumns.of(schema, slice.columns());
        file.setRequestedSchema(columns.requested());
        io = new ColumnIOFactory().getColumnIO(columns.requested(), schema);
        return this;
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
        column = "";
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
        PageReadStore pages = new NamedPages(read(group), name -> column = name);
        rows = pages.getRowCount();
        passing = new Passing();
        records = io.getRecordReader(pages, columns.materializer(), FilterCompat.get(passing));
    }

    private PageReadStore read(int index) throws IOException {
        try {
            return file.readRowGroup(index);
        } catch (IOException | RuntimeException e) {
            nameDamaged(index);
            throw e;
        }
    }

    /** Finds the column whose pages cannot be read, which the library does not tell. */
    private void nameDamaged(int index) {
        for (Type field : columns.requested().getFields()) {
            file.setRequestedSchema(new MessageType(columns.requested().getName(), field));
            try {
                file.readRowGroup(index);
            } catch (IOException | RuntimeException e) {
                column = field.getName();
                return;
            }
        }
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
        if (!heap.holds(bytes)) {
            throw Guarded.refusal(
                    input,
                    "row group "
                            + group
                            + " has "
                            + bytes
                            + " bytes in the columns that are read, and "
                            + heap.remedy(bytes)
                            + ", or write smaller row groups");
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
        return input
                + (group < 0 ? "" : " row group " + group + " row " + at)
                + (column.isEmpty() ? "" : ", column " + Names.printable(column));
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
