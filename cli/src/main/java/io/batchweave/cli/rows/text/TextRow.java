package io.batchweave.cli.rows.text;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.reader.Stretch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** A text file as one row: its first column has the text, all others are empty. */
public final class TextRow implements RowReader {
    private final Input input;
    private final SliceRows slice;
    private boolean read;

    private TextRow(Input input, SliceRows slice) {
        this.input = input;
        this.slice = slice;
    }

    public static RowReader open(Input input, SliceRows slice) {
        TextRow row = new TextRow(input, slice);
        row.checkSize(input.size());
        slice.readFrom(input::toString);
        return row;
    }

    @Override
    public boolean read() {
        if (read) {
            return false;
        }
        List<Cells> columns = slice.columns();
        columns.get(0).raw(text());
        columns.stream().skip(1).forEach(column -> column.raw(ByteBuffer.allocate(0)));
        slice.endRow();
        read = true;
        return true;
    }

    private ByteBuffer text() {
        try (InputStream in = input.stream()) {
            byte[] bytes = in.readNBytes(JsonLine.BYTES_MAX + 1);
            checkSize(bytes.length);
            int mark = Lines.byteOrderMark(bytes, bytes.length);
            return ByteBuffer.wrap(bytes, mark, bytes.length - mark);
        } catch (IOException e) {
            throw input.unreadable(e);
        }
    }

    private void checkSize(long bytes) {
        if (bytes > JsonLine.BYTES_MAX) {
            throw Guarded.refusal(
                    input,
                    "a text file is one document, and among rows, or shuffled, one may have "
                            + JsonLine.BYTES_MAX
                            + " bytes; ingest it in an ingest of text alone, without --shuffle,"
                            + " --epochs and --part, or cut it into several files");
        }
    }

    @Override
    public long leap(long rows) {
        if (read || rows == 0) {
            return 0;
        }
        read = true;
        return 1;
    }

    @Override
    public List<Stretch> stretches() {
        return List.of(Stretch.of(0, 1));
    }

    @Override
    public void seek(Stretch stretch) {
        read = false;
    }

    @Override
    public void close() {
        // It was closed when it had been read.
    }
}
