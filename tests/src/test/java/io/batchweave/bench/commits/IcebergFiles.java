package io.batchweave.bench.commits;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

/** Iceberg's files on an object store. */
final class IcebergFiles implements FileIO {
    private static final long serialVersionUID = 1L;

    private final transient StoreFiles files;

    IcebergFiles(StoreFiles files) {
        this.files = files;
    }

    @Override
    public InputFile newInputFile(String path) {
        return new Input(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new Output(path);
    }

    @Override
    public void deleteFile(String path) {
        files.delete(path);
    }

    /** Fetched once, when something of it is first wanted. */
    private final class Input implements InputFile {
        private final String path;
        private byte[] bytes;

        Input(String path) {
            this.path = path;
        }

        private byte[] bytes() {
            if (bytes == null) {
                try {
                    bytes = files.read(path);
                } catch (FileNotFoundException e) {
                    throw new NotFoundException(e, "There is no file %s", path);
                }
            }
            return bytes;
        }

        @Override
        public long getLength() {
            return bytes().length;
        }

        @Override
        public SeekableInputStream newStream() {
            return new InStream(bytes());
        }

        @Override
        public String location() {
            return path;
        }

        @Override
        public boolean exists() {
            try {
                bytes();
                return true;
            } catch (NotFoundException e) {
                return false;
            }
        }
    }

    private final class Output implements OutputFile {
        private final String path;

        Output(String path) {
            this.path = path;
        }

        @Override
        public PositionOutputStream create() {
            return new OutStream(path);
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            return create();
        }

        @Override
        public String location() {
            return path;
        }

        @Override
        public InputFile toInputFile() {
            return newInputFile(path);
        }
    }

    /** Written when it is closed. */
    private final class OutStream extends PositionOutputStream {
        private final String path;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean isClosed;

        OutStream(String path) {
            this.path = path;
        }

        @Override
        public long getPos() {
            return bytes.size();
        }

        @Override
        public void write(int value) {
            bytes.write(value);
        }

        @Override
        public void write(byte[] source, int from, int length) {
            bytes.write(source, from, length);
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                try {
                    files.create(path, bytes.toByteArray());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static final class InStream extends SeekableInputStream {
        private final byte[] bytes;
        private ByteArrayInputStream rest;

        InStream(byte[] bytes) {
            this.bytes = bytes;
            this.rest = new ByteArrayInputStream(bytes);
        }

        @Override
        public long getPos() {
            return (long) bytes.length - rest.available();
        }

        @Override
        public void seek(long position) {
            rest = new ByteArrayInputStream(bytes);
            rest.skip(position);
        }

        @Override
        public int read() {
            return rest.read();
        }

        @Override
        public int read(byte[] target, int at, int length) {
            return rest.read(target, at, length);
        }
    }
}
