package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.inputs.Input;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** An input as Parquet's reader asks for one. */
record ParquetInput(Input input) implements InputFile {
    @Override
    public long getLength() {
        return input.size();
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
        SeekableByteChannel channel = input.open();
        return new DelegatingSeekableInputStream(Channels.newInputStream(channel)) {
            @Override
            public long getPos() throws IOException {
                return channel.position();
            }

            @Override
            public void seek(long position) throws IOException {
                channel.position(position);
            }
        };
    }

    /** What the reader calls it in what it says of damage. */
    @Override
    public String toString() {
        return input.name();
    }
}
