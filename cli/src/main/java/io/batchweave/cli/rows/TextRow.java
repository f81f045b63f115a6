package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Input;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** A text file as one row: its first column has the text, all others are empty. */
final class TextRow implements RowReader {
    private final Input input;
    private final SliceRows slice;
    private boolean read;

    private TextRow(Input input, SliceRows slice) {
        this.input = input;
        this.slice = slice;
    }

    static RowReader open(Input input, SliceRows slice) {
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
            byte[] bytes = in.readNBytes(Lines.LINE_BYTES_MAX + 1);
            checkSize(bytes.length);
            int mark = Lines.byteOrderMark(bytes, bytes.length);
            return ByteBuffer.wrap(bytes, mark, bytes.length - mark);
        } catch (IOException e) {
            throw input.unreadable(e);
        }
    }

    private void checkSize(long bytes) {
        if (bytes > Lines.LINE_BYTES_MAX) {
            throw RowInput.refusal(
                    input,
                    "a text file is one document, and among rows, or shuffled, one may have "
                            + Lines.LINE_BYTES_MAX
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
