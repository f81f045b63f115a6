package io.batchweave.bench.commits;

import io.batchweave.store.Listing;
import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Delta's files on an object store. */
final class DeltaFiles implements FileIO {
    private final StoreFiles files;

    DeltaFiles(StoreFiles files) {
        this.files = files;
    }

    @Override
    public CloseableIterator<FileStatus> listFrom(String path) throws FileNotFoundException {
        String key = StoreFiles.keyOf(path);
        String folder = key.substring(0, key.lastIndexOf('/'));
        // From the path itself on: what sorts just before it is the path without its last
        // character.
        String after = key.substring(0, key.length() - 1);
        List<FileStatus> found =
                files.store().list(folder, after).objects().stream()
                        .filter(item -> item.key().compareTo(key) >= 0)
                        .map(DeltaFiles::status)
                        .toList();
        if (found.isEmpty()) {
            throw new FileNotFoundException(path);
        }
        return Utils.toCloseableIterator(found.iterator());
    }

    private static FileStatus status(Listing.Item item) {
        return FileStatus.of(StoreFiles.pathOf(item.key()), item.length(), 1);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        return FileStatus.of(path, files.read(path).length, 1);
    }

    @Override
    public String resolvePath(String path) {
        return path;
    }

    @Override
    public boolean mkdirs(String path) {
        return true;
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        return new InputFile() {
            @Override
            public long length() throws IOException {
                return fileSize > 0 ? fileSize : files.read(path).length;
            }

            @Override
            public String path() {
                return path;
            }

            @Override
            public SeekableInputStream newStream() throws IOException {
                return new InStream(files.read(path));
            }
        };
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new OutputFile() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public PositionOutputStream create(boolean atomicWrite) {
                return new OutStream(path);
            }

            @Override
            public void writeAtomically(CloseableIterator<String> lines, boolean overwrite)
                    throws IOException {
                StringBuilder text = new StringBuilder();
                try (lines) {
                    lines.forEachRemaining(line -> text.append(line).append('\n'));
                }
                if (overwrite) {
                    files.delete(path);
                }
                files.create(path, text.toString().getBytes(StandardCharsets.UTF_8));
            }
        };
    }

    @Override
    public boolean delete(String path) {
        files.delete(path);
        return true;
    }

    @Override
    public Optional<String> getConf(String key) {
        return Optional.empty();
    }

    @Override
    public void copyFileAtomically(String source, String target, boolean overwrite)
            throws IOException {
        files.create(target, files.read(source));
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
        public void close() throws IOException {
            if (!isClosed) {
                isClosed = true;
                files.create(path, bytes.toByteArray());
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

        @Override
        public void readFully(byte[] target, int at, int length) throws IOException {
            if (rest.readNBytes(target, at, length) < length) {
                throw new IOException("The file ends too early");
            }
        }
    }
}
